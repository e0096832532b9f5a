package berth.scheduling;

import berth.cluster.Cluster;
import berth.cluster.Unit;
import berth.sla.Bounds;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.sla.Violation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules by which a cluster rejects a request even if PEs are free, in the order in which they are checked. They are Berth's own unless
 * a paper is named. {@link AllowedStarts} says when a run may start, and the search for a place whether there is room.
 */
public enum TermsRule {

    /** The cluster must carry the required labels. This comes first, because without them the cluster is none of those asked for. */
    LABELS {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            return cluster.missing(terms.requires()).map(Rejection.NeverFits::new);
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return !terms.requires().equals(agreed.requires());
        }
    },

    /** A budget must be in the cluster's currency. */
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

    /** Every shape of a run must take whole nodes. */
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

    /**
     * A run must not exceed the cluster's longest duration. The rule checks the largest shape that is not too wide, which is the quickest.
     */
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
                    : Optional.of(new Rejection.InvalidTerms(List.of(new Violation(
                            "duration",
                            "takes %d s on this cluster, which allows at most %d s; shorten it".formatted(least, most),
                            (double) least / most))));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return terms.runTime() > agreed.runTime();
        }
    },

    /** A run must not take more PEs than reservations may take at one time. */
    RESERVABLE_PES {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            int most = cluster.reservablePes();
            int fewest = terms.shapes().getLast().pes();
            return fewest <= most
                    ? Optional.empty()
                    : Optional.of(new Rejection.NeverFits(new Violation(
                            "pes",
                            "exceeds the %s of the cluster that can be reserved"
                                    .formatted(Unit.of(cluster).counted(most)),
                            (double) fewest / most)));
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return terms.pes() > agreed.pes();
        }
    },

    /** The cluster's lead time must be over by the latest start. */
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

    /** The cluster must be taking new reservations. */
    OPEN {
        @Override
        Optional<Rejection> refusal(Cluster cluster, Terms terms, long now) {
            return switch (cluster.admission()) {
                case OPEN -> Optional.empty();
                case CLOSED -> Optional.of(new Rejection.Closed());
                case RETIRED -> Optional.of(new Rejection.Retired());
            };
        }

        @Override
        boolean binds(Terms terms, Terms agreed) {
            return false;
        }
    };

    /** Returns the reason why the rule rejects these terms; empty if it allows them. */
    abstract Optional<Rejection> refusal(Cluster cluster, Terms terms, long now);

    /** Whether the rule applies to terms that replace agreed ones. What was agreed may stay or shrink. */
    abstract boolean binds(Terms terms, Terms agreed);

    /** Returns the first rejection of a new request with these terms; empty if the rules allow it. */
    public static Optional<Rejection> refused(Cluster cluster, Terms terms, long now) {
        return Stream.of(values())
                .flatMap(rule -> rule.refusal(cluster, terms, now).stream())
                .findFirst();
    }

    /** Returns the first rejection of terms that would replace {@code agreed}; empty if the rules allow them. */
    public static Optional<Rejection> refused(Cluster cluster, Terms terms, Terms agreed, long now) {
        return Stream.of(values())
                .filter(rule -> rule.binds(terms, agreed))
                .flatMap(rule -> rule.refusal(cluster, terms, now).stream())
                .findFirst();
    }

    /** Returns the bounds that a cluster's rules set for every run. */
    public static Bounds bounds(Cluster cluster) {
        var policy = cluster.policy();
        return new Bounds(
                cluster.rating(),
                cluster.reservablePes(),
                policy.limits().maxDuration().orElse(Long.MAX_VALUE),
                policy.horizon(),
                policy.defaultSlack().orElse(0),
                policy.replanning().moves().bounds());
    }
}
