package berth.scheduling;

import berth.batch.Impact;
import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A question without effect: where would these terms fit? The answer holds for the schedule it was asked of, and is no
 * promise.
 *
 * @param terms what would be asked for
 * @param serviceClass how the account is classed
 * @param limit the most slots to name, at least 1
 */
public record Probe(RequestedTerms terms, ServiceClass serviceClass, int limit) {

    /** Who asks has no reservation yet: where the waiting queue is shuffled, the draw is another one in the end. */
    private static final ReservationId ANYBODY = new ReservationId(new UUID(0, 0));

    /**
     * A slot that would fit.
     *
     * @param chosen whether a reservation without a chosen start would get it
     * @param availability how good the cluster's batch jobs can do without it, in (0, 1]; 1 without jobs
     * @param impact what it does to them; empty without jobs, and where availability is told by load
     */
    public record Offer(
            List<Part> parts,
            Money price,
            boolean withinBudget,
            boolean chosen,
            double availability,
            Optional<Impact> impact) {

        /** From the beginning of the first part to the end of the last. */
        public Slot slot() {
            return new Slot(
                    parts.getFirst().slot().start(), parts.getLast().slot().end());
        }

        /** The most PEs at one time. */
        public int pes() {
            return parts.stream().mapToInt(Part::pes).max().orElseThrow();
        }
    }

    /** What a probe found. */
    public sealed interface Answer {
        /** Slots that would fit, by start; {@code truncated} if there are more than were asked for. */
        record Offers(List<Offer> offers, boolean truncated) implements Answer {}

        /** Nothing fits. */
        record Nothing(Rejection reason) implements Answer {}
    }

    /**
     * The earliest place in each gap of the schedule that can hold the run, and the one that a reservation would get, be it
     * that others move for it. O(points of the profile in the window) for each shape, beside what it takes to place a run at
     * each start, and what {@link WaitingQueue} takes.
     */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut(var reason) -> new Answer.Nothing(reason);
            case Opening.Open(var search) -> offers(schedule, search, now);
        };
    }

    private Answer offers(ClusterSchedule schedule, PlaceSearch search, long now) {
        var newcomer = new Newcomer(
                ANYBODY, search.terms(), now, free -> search.among(free).choose());
        var places = new TreeMap<Long, Place>();
        // always named, although a budget, the policy or others that move may put it elsewhere than at the beginning of
        // a gap
        var chosen = Juggled.of(schedule, newcomer, now)
                        instanceof Juggled.Found(Search.Found(var place, var _), var _, var _, var _)
                ? Optional.of(place)
                : Optional.<Place>empty();
        chosen.ifPresent(place -> places.put(place.start(), place));
        var gaps = search.gaps(limit + 1);
        for (var gap = gaps.places().iterator(); gap.hasNext() && places.size() < limit; ) {
            var place = gap.next();
            places.putIfAbsent(place.start(), place);
        }
        if (places.isEmpty()) {
            return new Answer.Nothing(new Rejection.NoSlot());
        }
        var offers = places.values().stream()
                .map(place -> new Offer(
                        place.parts(),
                        search.price(place),
                        search.isAffordable(place),
                        chosen.filter(place::equals).isPresent(),
                        1,
                        Optional.empty()))
                .toList();
        boolean truncated =
                gaps.truncated() || gaps.places().stream().anyMatch(gap -> !places.containsKey(gap.start()));
        return new Answer.Offers(offers, truncated);
    }
}
