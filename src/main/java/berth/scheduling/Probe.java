package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.List;
import java.util.TreeSet;
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

    /** A slot that would fit; {@code chosen} marks the one a reservation without a chosen start would get. */
    public record Offer(List<Part> parts, Money price, boolean withinBudget, boolean chosen) {

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
     * that others move for it. O(points of the profile in the window), beside what {@link WaitingQueue} takes.
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
        var gaps = search.gaps(limit + 1);
        // always named, although a budget, the policy or others that move may put it elsewhere than at the beginning of
        // a gap
        var chosen = Juggled.of(schedule, newcomer, now);
        if (gaps.isEmpty() && chosen instanceof Juggled.Nothing) {
            return new Answer.Nothing(new Rejection.NoSlot());
        }
        var starts = new TreeSet<Long>();
        if (chosen instanceof Juggled.Found(var found, var _)) {
            starts.add(found.place().start());
        }
        for (var gap = gaps.iterator(); gap.hasNext() && starts.size() < limit; ) {
            starts.add(gap.next());
        }
        var offers = starts.stream().map(start -> offer(search, start, chosen)).toList();
        return new Answer.Offers(offers, !starts.containsAll(gaps));
    }

    private static Offer offer(PlaceSearch search, long start, Juggled choice) {
        if (choice instanceof Juggled.Found(Search.Found(var place, var price), var _) && place.start() == start) {
            return new Offer(place.parts(), price, true, true);
        }
        var whole = Part.whole(
                Slot.of(start, search.terms().runTime()), search.terms().pes());
        var place = Place.of(whole);
        return new Offer(place.parts(), search.price(place), search.affordable(place), false);
    }
}
