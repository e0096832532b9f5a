package berth.scheduling;

import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.List;
import java.util.TreeSet;

/**
 * A question without effect: where would these terms fit? The answer holds for the schedule it was asked of, and is no
 * promise.
 *
 * @param terms what would be asked for
 * @param serviceClass how the account is classed
 * @param limit the most slots to name, at least 1
 */
public record Probe(RequestedTerms terms, ServiceClass serviceClass, int limit) {

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

    /** The earliest place in each gap of the schedule that can hold the run. O(points of the profile in the window). */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut(var reason) -> new Answer.Nothing(reason);
            case Opening.Open(var search) -> offers(search);
        };
    }

    private Answer offers(PlaceSearch search) {
        var gaps = search.gaps(limit + 1);
        if (gaps.isEmpty()) {
            return new Answer.Nothing(new Rejection.NoSlot());
        }
        // always named, although a budget or the policy may put it behind the beginning of its gap
        var chosen = search.choose();
        var starts = new TreeSet<Long>();
        if (chosen instanceof Search.Found(var place, var _)) {
            starts.add(place.start());
        }
        for (var gap = gaps.iterator(); gap.hasNext() && starts.size() < limit; ) {
            starts.add(gap.next());
        }
        var offers = starts.stream().map(start -> offer(search, start, chosen)).toList();
        return new Answer.Offers(offers, !starts.containsAll(gaps));
    }

    private static Offer offer(PlaceSearch search, long start, Search choice) {
        if (choice instanceof Search.Found(var place, var price) && place.start() == start) {
            return new Offer(place.parts(), price, true, true);
        }
        var whole = Part.whole(
                Slot.of(start, search.terms().runTime()), search.terms().pes());
        var place = Place.of(whole);
        return new Offer(place.parts(), search.price(place), search.affordable(place), false);
    }
}
