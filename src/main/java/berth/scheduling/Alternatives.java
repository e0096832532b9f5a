package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.Probe.Offer;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A question without effect: where would a request fit that does not fit where it was asked for? Paper 000, Algorithm 2.
 *
 * <p>Each job that intersects the window of the request, whatever its place in the waiting queue, suggests places: before
 * its ready time and after its deadline, as in the paper; and before its planned start and after its planned end, which
 * are ours, as are those of outages. Such a place is the whole window of its option, OPTD = OPTT^r + T^e. An option is one if the request
 * would be admitted with that window, the waiting queue placed anew where the cluster does that.
 *
 * @param terms what was asked for
 * @param serviceClass how the account is classed
 * @param maxPhi how far from the window an option may lie: the most of |φ|
 * @param limit the most options to name, at least 1
 */
public record Alternatives(RequestedTerms terms, ServiceClass serviceClass, BigDecimal maxPhi, int limit) {

    /** The placements that the search may take. */
    private static final int MAX_PLACEMENTS = 20_000;

    private static final int DECIMALS = 6;

    /**
     * A place outside of the window.
     *
     * @param offer what would be reserved
     * @param phi how far from the window it lies, in run times of the request: φ as printed, negative before it
     * @param terms what accepting it asks for: the same terms in another window
     */
    public record Alternative(Offer offer, BigDecimal phi, RequestedTerms terms) {}

    /** The options that were found, by |φ|, the later one first among equals; {@code truncated} if there may be more. */
    public record Answer(List<Alternative> found, boolean truncated) {}

    /** An option that is to be tried. */
    private record Option(Window window, BigDecimal phi) {

        private static final Comparator<Option> NEAREST_FIRST = Comparator.<Option, BigDecimal>comparing(
                        option -> option.phi.abs())
                .thenComparing(option -> option.phi, Comparator.reverseOrder());
    }

    /** Finds them. O(n) for n live reservations, beside the placements. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut _ -> new Answer(List.of(), false);
            case Opening.Open(var search) -> tried(schedule, options(schedule, search.terms(), now), now);
        };
    }

    private Answer tried(ClusterSchedule schedule, List<Option> options, long now) {
        var trials = new Trials(serviceClass, now, MAX_PLACEMENTS);
        var found = new ArrayList<Alternative>();
        for (var option : options) {
            if (found.size() == limit || trials.areOver()) {
                return new Answer(List.copyOf(found), true);
            }
            var there = terms.within(option.window());
            trials.admitted(schedule, there)
                    .map(place -> new Offer(place.place().parts(), place.price(), true, false))
                    .ifPresent(offer -> found.add(new Alternative(offer, option.phi(), there)));
        }
        return new Answer(List.copyOf(found), false);
    }

    /** Ψ, the nearest first. */
    private List<Option> options(ClusterSchedule schedule, Terms asked, long now) {
        var policy = schedule.cluster().policy();
        long earliest = now + policy.limits().leadTime();
        long latest = now + policy.horizon();
        return starts(schedule, asked).stream()
                .filter(start -> earliest <= start && start <= latest - asked.runTime())
                .filter(start -> outside(asked.window(), Slot.of(start, asked.runTime())))
                .map(start -> new Option(new Window(start, start + asked.runTime()), phi(asked, start)))
                .filter(option -> option.phi().abs().compareTo(maxPhi) <= 0)
                .sorted(Option.NEAREST_FIRST)
                .toList();
    }

    private static boolean outside(Window window, Slot slot) {
        return !window.contains(slot);
    }

    /** OPTT^r of all options, whether they are within reach or not. */
    private static Set<Long> starts(ClusterSchedule schedule, Terms asked) {
        var starts = new TreeSet<Long>();
        var window = new Slot(asked.window().readyTime(), asked.window().deadline());
        for (var reservation : schedule.reservations()) {
            if (intersects(reservation, window)) {
                around(
                        reservation.terms().window().readyTime(),
                        reservation.terms().window().deadline(),
                        asked,
                        starts);
                for (var part : reservation.parts()) {
                    around(part.slot().start(), part.slot().end(), asked, starts);
                }
            }
        }
        for (var outage : schedule.outages()) {
            if (outage.slot().overlaps(window)) {
                around(outage.slot().start(), outage.slot().end(), asked, starts);
            }
        }
        return starts;
    }

    private static boolean intersects(Reservation reservation, Slot window) {
        return reservation.parts().stream().map(Part::slot).anyMatch(window::overlaps);
    }

    /** The request before what lasts from {@code start} to {@code end}, and after it. */
    private static void around(long start, long end, Terms asked, Set<Long> starts) {
        starts.add(start - asked.runTime());
        starts.add(end);
    }

    /** φ: by how much the option misses the window, in run times. */
    private static BigDecimal phi(Terms asked, long start) {
        long missed = start < asked.window().readyTime()
                ? start - asked.window().readyTime()
                : start + asked.runTime() - asked.window().deadline();
        return BigDecimal.valueOf(missed).divide(BigDecimal.valueOf(asked.runTime()), DECIMALS, RoundingMode.HALF_UP);
    }
}
