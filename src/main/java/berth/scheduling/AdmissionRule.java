package berth.scheduling;

import berth.cluster.Admission;
import berth.cluster.Cluster;
import berth.sla.Bounds;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.sla.Violation;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules by which a cluster refuses a request however free it is, in the order in which they are asked. All are ours but
 * where a paper is named. From when on a run may start is told by {@link AllowedStarts}, whether there is room by {@link
 * PlaceSearch}.
 */
enum AdmissionRule {

    /** A budget is in the cluster's currency. */
    CURRENCY {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            var currency = cluster.tariff().currency();
            return terms.budget()
                    .filter(budget -> !budget.currency().equals(currency))
                    .map(_ -> Rejection.InvalidTerms.of("budget", "must be in the cluster's currency, " + currency));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return true;
        }
    },

    /** A run takes whole nodes, whatever its shape. */
    WHOLE_NODES {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            return terms.shapes().stream()
                    .flatMap(shape -> cluster.nodes().broken(shape.pes()).stream())
                    .findFirst()
                    .map(why -> Rejection.InvalidTerms.of("pes", why));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return true;
        }
    },

    /** A run takes no longer than the cluster allows: of the shapes that are not too wide the largest is the quickest. */
    DURATION {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            long most = bounds(cluster).runTime();
            long least = terms.shapes().stream()
                    .filter(shape -> shape.pes() <= cluster.reservablePes())
                    .findFirst()
                    .map(Shape::runTime)
                    .orElse(terms.runTime());
            return least <= most
                    ? Optional.empty()
                    : Optional.of(Rejection.InvalidTerms.of(
                            "duration",
                            "takes %d s on this cluster, which allows %d s; shorten it".formatted(least, most)));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return terms.runTime() > agreed.runTime();
        }
    },

    /** A run takes no more PEs than reservations may take at one time. */
    RESERVABLE_PES {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            int most = cluster.reservablePes();
            int fewest = terms.shapes().getLast().pes();
            return fewest <= most
                    ? Optional.empty()
                    : Optional.of(new Rejection.NeverFits(new Violation(
                            "pes", "exceeds the %d PEs of the cluster that can be reserved".formatted(most))));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return terms.pes() > agreed.pes();
        }
    },

    /** The cluster carries the labels that are asked for. */
    LABELS {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            return cluster.missing(terms.requires())
                    .map(label -> new Rejection.NeverFits(new Violation(
                            "requires",
                            "the cluster does not carry %s=%s".formatted(label.getKey(), label.getValue()))));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return !terms.requires().equals(agreed.requires());
        }
    },

    /** The cluster's lead time can pass before the latest start. */
    LEAD_TIME {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            long lead = cluster.policy().limits().leadTime();
            return terms.latestStart() < now + lead
                    ? Optional.of(Rejection.InvalidTerms.of(
                            "deadline",
                            "leaves less than the cluster's lead time of %d s before the start; choose a later one"
                                    .formatted(lead)))
                    : Optional.empty();
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return false;
        }
    },

    /** The cluster takes new reservations at present. */
    OPEN {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            return cluster.admission() == Admission.CLOSED ? Optional.of(new Rejection.Closed()) : Optional.empty();
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return false;
        }
    };

    /** Why the rule does not allow these terms, if it does not. */
    abstract Optional<Rejection> refusal(Cluster cluster, Terms terms, long now);

    /** Whether the rule is asked of terms that take the place of agreed ones: what was agreed may stay as it was, or shrink. */
    abstract boolean binds(Terms terms, Terms agreed);

    /** Why the rules do not allow a newcomer these terms, if they do not. */
    static Optional<Rejection> refused(Cluster cluster, Terms terms, long now) {
        return Stream.of(values())
                .flatMap(rule -> rule.refusal(cluster, terms, now).stream())
                .findFirst();
    }

    /** Why they do not allow that these terms take the place of others, if they do not. */
    static Optional<Rejection> refused(Cluster cluster, Terms terms, Terms agreed, long now) {
        return Stream.of(values())
                .filter(rule -> rule.binds(terms, agreed))
                .flatMap(rule -> rule.refusal(cluster, terms, now).stream())
                .findFirst();
    }

    /** What a cluster's rules let any run be. */
    static Bounds bounds(Cluster cluster) {
        long longest = cluster.policy().limits().maxDuration().orElse(Long.MAX_VALUE);
        return new Bounds(cluster.rating(), cluster.reservablePes(), longest);
    }
}
