package berth.scheduling;

import berth.cluster.Juggling;
import berth.reservation.Reservation;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.scheduling.Probe.Offer;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

    /** The options that are looked at. */
    private static final int MAX_OPTIONS = 2_000;

    /** The places that may be searched for. */
    private static final int MAX_PLACEMENTS = 4_000;

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
                .thenComparing(option -> option.phi, Comparator.reverseOrder())
                .thenComparingLong(option -> option.window.readyTime());
    }

    /** Finds them. O(n) for n live reservations, beside the placements. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut _ -> new Answer(List.of(), false);
            case Opening.Open(var search) -> tried(schedule, options(schedule, search.terms(), now), now);
        };
    }

    /** First those for which nobody needs to move, which is soon known; then those that are nearer, or as many as are missing. */
    private Answer tried(ClusterSchedule schedule, List<Option> options, long now) {
        var trials = new Trials(serviceClass, now, MAX_PLACEMENTS);
        var found = new TreeMap<Option, Alternative>(Option.NEAREST_FIRST);
        boolean truncated = options.size() > MAX_OPTIONS;
        var nearest = options.subList(0, Math.min(options.size(), MAX_OPTIONS));
        for (var option : nearest) {
            truncated |= found.size() == limit;
            truncated |= trials.areOver();
            if (found.size() < limit && !trials.areOver()) {
                trials.besideTheOthers(schedule, terms.within(option.window()))
                        .ifPresent(place -> found.put(option, alternative(option, place)));
            }
        }
        if (schedule.cluster().policy().juggling() != Juggling.NEVER) {
            for (var option : nearest) {
                boolean isWanted = !found.containsKey(option)
                        && (found.size() < limit || Option.NEAREST_FIRST.compare(option, found.lastKey()) < 0);
                truncated |= isWanted && trials.areOver();
                if (isWanted && !trials.areOver()) {
                    trials.admitted(schedule, terms.within(option.window()))
                            .ifPresent(place -> found.put(option, alternative(option, place)));
                }
            }
        }
        return new Answer(found.values().stream().limit(limit).toList(), truncated || found.size() > limit);
    }

    private Alternative alternative(Option option, Search.Found found) {
        // in a window of its own length there is nothing to move but its shape and parts
        var offer = new Offer(found.place().parts(), found.price(), found.price(), true, false, 1, Optional.empty());
        return new Alternative(offer, option.phi(), terms.within(option.window()));
    }

    /** Ψ, the nearest first. */
    private List<Option> options(ClusterSchedule schedule, Terms asked, long now) {
        var policy = schedule.cluster().policy();
        long earliest = now + policy.limits().leadTime();
        long latest = now + policy.horizon();
        return starts(schedule, asked).stream()
                .filter(start -> earliest <= start && start <= latest - asked.runTime())
                .filter(start -> outside(asked.window(), Slot.of(start, asked.runTime())))
                .map(start -> new Option(
                        new Window(start, start + asked.runTime()),
                        phi(asked.window(), Slot.of(start, asked.runTime()))))
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

    /** φ: by how much a run misses a window, in run times; less than 0 before the window, 0 in it. */
    public static BigDecimal phi(Window window, Slot run) {
        long missed = run.start() < window.readyTime()
                ? run.start() - window.readyTime()
                : Math.max(0, run.end() - window.deadline());
        return BigDecimal.valueOf(missed).divide(BigDecimal.valueOf(run.duration()), DECIMALS, RoundingMode.HALF_UP);
    }
}
