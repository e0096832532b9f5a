package berth.booking;

import berth.cluster.Cluster;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.outcome.Outcome;
import berth.peers.RemoteProbe;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.scheduling.Approvals;
import berth.scheduling.Basis;
import berth.scheduling.Rejection;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Alternatives.Alternative;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Preference.Choice;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.sla.Customer;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds what would fit on clusters of this Berth and of others, without any effect or promise. The answers come from the schedules after
 * everything due has happened and wait for no desk. Thread-safe.
 */
public final class Probes {

    private final Desks desks;
    private final AdmissionControl admission;
    private final Clusters clusters;
    private final Broker broker;

    Probes(Desks desks, AdmissionControl admission, Clusters clusters, Broker broker) {
        this.desks = desks;
        this.admission = admission;
        this.clusters = clusters;
        this.broker = broker;
    }

    /**
     * A question about what would fit.
     *
     * @param customer the account that asks
     * @param clusters the known clusters to search; empty for all
     * @param hold how long the place would be held first, in seconds; counts in the prices of this Berth's clusters
     * @param limit the most places to return, and to ask of each cluster
     * @param alternatives how far outside the window to search on a cluster of this Berth without a place inside; empty for not at all
     */
    public record Question(
            Customer customer,
            RequestedTerms terms,
            Optional<List<ClusterId>> clusters,
            Preference preference,
            long hold,
            int limit,
            Optional<Leeway> alternatives) {

        private boolean asks(ClusterId cluster) {
            return clusters.isEmpty() || clusters.get().contains(cluster);
        }

        private Probe probe() {
            return new Probe(terms, customer, preference, hold, limit);
        }
    }

    /** A place that would fit. */
    public sealed interface Place {

        /**
         * A place on a cluster of this Berth, inside the window.
         *
         * @param needsApproval whether a reservation there must be approved, as far as its project does not matter
         */
        record Here(ClusterId cluster, Offer offer, boolean needsApproval) implements Place {}

        /** A place on a cluster of another Berth, inside the window. */
        record There(RemoteProbe.Slot slot) implements Place {}

        /**
         * A place on a cluster of this Berth, outside the window.
         *
         * @param needsApproval as for a place inside the window
         */
        record Outside(ClusterId cluster, Alternative alternative, boolean needsApproval) implements Place {}
    }

    /**
     * The slots that would fit.
     *
     * @param places the places in the order of preference, followed by those outside the window, nearest first
     * @param isTruncated whether there are or may be more
     * @param silent the clusters of other Berths that did not answer
     * @param reason why there is no place; empty if there is one or no cluster gave a reason
     */
    public record Answer(List<Place> places, boolean isTruncated, List<ClusterId> silent, Optional<Rejection> reason) {}

    /**
     * Asks the clusters of other Berths, and meanwhile those of this one. A cluster that does not answer within a few seconds is skipped.
     *
     * @throws berth.runtime.Gate.Overloaded if too many computations wait for the account
     * @throws berth.runtime.Gate.Unanswered if a cluster of this Berth has no answer in time
     */
    public Answer ask(Question question) {
        var gathered = new Gathered();
        var elsewhere = broker.show(
                question.terms,
                question.preference,
                question.limit,
                clusters.elsewhere().stream()
                        .filter(cluster -> question.asks(cluster.id()))
                        .toList(),
                () -> here(question).forEach(cluster -> ask(cluster, question, gathered)));
        return gathered.answer(elsewhere, question);
    }

    /** Returns the clusters of this Berth to ask. */
    private List<ClusterId> here(Question question) {
        return question.clusters
                .map(named -> named.stream()
                        .distinct()
                        .filter(cluster -> desks.schedule(cluster).isPresent())
                        .toList())
                .orElseGet(() -> desks.clustersInUse().stream().map(Cluster::id).toList());
    }

    /** Collects the answers of this Berth's clusters. */
    private static final class Gathered {
        private final List<Place.Here> offered = new ArrayList<>();
        private final List<Place.Outside> outside = new ArrayList<>();
        private boolean isTruncated;
        private Optional<Rejection> reason = Optional.empty();

        Answer answer(RemoteProbe elsewhere, Question question) {
            var inside = question.preference.order(
                    Stream.<Place>concat(
                                    offered.stream(), elsewhere.slots().stream().map(Place.There::new))
                            .toList(),
                    Gathered::choice);
            var all = Stream.concat(inside.stream(), outside.stream().sorted(NEAREST_FIRST))
                    .toList();
            return new Answer(
                    all.stream().limit(question.limit).toList(),
                    isTruncated || elsewhere.isPartial() || all.size() > question.limit,
                    elsewhere.silent(),
                    all.isEmpty() ? reason.or(elsewhere::reason) : Optional.empty());
        }

        private static final Comparator<Place.Outside> NEAREST_FIRST = Comparator.<Place.Outside, BigDecimal>comparing(
                place -> place.alternative.phi().abs());

        private static Choice choice(Place place) {
            return switch (place) {
                case Place.Here(var cluster, var offer, boolean _) -> Choice.of(cluster, offer);
                case Place.There(var slot) -> slot.choice();
                case Place.Outside(var cluster, var alternative, boolean _) -> Choice.of(cluster, alternative.offer());
            };
        }
    }

    private void ask(ClusterId cluster, Question question, Gathered gathered) {
        var outlook = desks.outlook(cluster).orElseThrow();
        switch (admission.offers(question.customer.name(), question.probe(), outlook)) {
            case Outcome.Done(Probe.Offers(var offers, boolean more)) -> {
                offers.forEach(offer ->
                        gathered.offered.add(new Place.Here(cluster, offer, needsApproval(cluster, question, offer))));
                gathered.isTruncated |= more;
            }
            case Outcome.NotDone(var why) -> {
                gathered.reason = Optional.of(why);
                if (why.lacksRoom()) {
                    question.alternatives.ifPresent(leeway -> askOutside(outlook, leeway, question, gathered));
                }
            }
        }
    }

    private boolean needsApproval(ClusterId cluster, Question question, Offer offer) {
        var origin = new Origin(question.customer.name(), question.customer.serviceClass());
        return !new Approvals(desks.funded(cluster).orElseThrow())
                .asked(origin, offer.parts(), offer.price())
                .isEmpty();
    }

    private void askOutside(Basis outlook, Leeway leeway, Question question, Gathered gathered) {
        var schedule = outlook.schedule();
        var cluster = schedule.cluster().id();
        var offered = schedule.cluster().policy().alternativesMaxPhi();
        var maxPhi = leeway.maxPhi(offered);
        var search = new Alternatives(
                question.terms, OptionalLong.empty(), question.customer, question.hold, true, maxPhi, question.limit);
        var found = desks.searches().compute(question.customer.name(), () -> search.ask(schedule, outlook.now()));
        found.found()
                .forEach(alternative -> gathered.outside.add(new Place.Outside(
                        cluster, alternative, needsApproval(cluster, question, alternative.offer()))));
        gathered.isTruncated |= found.truncated() || leeway.exceeds(offered);
    }
}
