package berth.scheduling;

import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.reservation.Reservation;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.Probe.Offer;
import berth.scheduling.RatedPlaces.Rated;
import berth.sla.Mobility;
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
import java.util.stream.Stream;

/**
 * A question without effect: where would a request fit that does not fit where it was asked for? Paper 000, Algorithm 2.
 *
 * <p>Each job that intersects the window of the request, whatever its index in the waiting queue, suggests other windows (the
 * paper's options, just as long as the run: OPTD = OPTT^r + T^e): before its ready time and after its deadline, as in the paper;
 * and before its planned start and after its planned end, which are ours, as are those of outages. There is an alternative in
 * such a window if the request would be admitted with it, the waiting queue placed anew where the cluster does that.
 *
 * <p>The paper knows no batch jobs. They suggest windows, too: those that run and the first that waits before their start and
 * after their end. Where availability is told by what-if, the others do by their planned start and end, and so does the end of
 * the plan, from which on nobody is delayed; where it is told by load, the first start that is not too early does. Each
 * alternative is as available as a {@link Probe} of its terms would say, and at least as the cluster's rules have it.
 *
 * @param terms what was asked for
 * @param serviceClass how the account is classed
 * @param maxPhi how far from the window an alternative may lie: the most of |φ|
 * @param limit the most alternatives to name, at least 1
 */
public record Alternatives(RequestedTerms terms, ServiceClass serviceClass, BigDecimal maxPhi, int limit) {

    /** The other windows that are looked at. */
    private static final int MAX_WINDOWS = 2_000;

    /** The places that may be searched for. */
    private static final int MAX_SEARCHES = 4_000;

    private static final int DECIMALS = 6;

    /**
     * An offer outside of the window.
     *
     * @param offer what would be reserved
     * @param phi how far from the window it lies, in run times of the request: φ as printed, negative before it
     * @param terms what accepting it asks for: the same terms in another window
     */
    public record Alternative(Offer offer, BigDecimal phi, RequestedTerms terms) {}

    /** The alternatives that were found, by |φ|, the later one first among equals; {@code truncated} if there may be more. */
    public record Answer(List<Alternative> found, boolean truncated) {}

    /** A window that is to be tried instead. */
    private record OtherWindow(Window window, BigDecimal phi) {

        private static final Comparator<OtherWindow> NEAREST_FIRST = Comparator.<OtherWindow, BigDecimal>comparing(
                        other -> other.phi.abs())
                .thenComparing(other -> other.phi, Comparator.reverseOrder())
                .thenComparingLong(other -> other.window.readyTime());
    }

    /** Finds them. O(n) for n live reservations, beside the placements. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut _ -> new Answer(List.of(), false);
            case Opening.Open(var search) -> tried(schedule, search, windows(schedule, search, now), now);
        };
    }

    /** First those for which nobody needs to move, which is soon known; then those that are nearer, or as many as are missing. */
    private Answer tried(ClusterSchedule schedule, PlaceSearch search, List<OtherWindow> windows, long now) {
        var trials = new Trials(serviceClass, now, MAX_SEARCHES);
        var scores = new Scores(schedule, search, trials, now);
        var found = new TreeMap<OtherWindow, Scored>(OtherWindow.NEAREST_FIRST);
        boolean truncated = windows.size() > MAX_WINDOWS;
        var nearest = windows.subList(0, Math.min(windows.size(), MAX_WINDOWS));
        for (var other : nearest) {
            truncated |= found.size() == limit;
            truncated |= trials.searchesAreOver();
            if (found.size() < limit && !trials.searchesAreOver()) {
                scores.besideTheOthers(terms.within(other.window())).ifPresent(place -> found.put(other, place));
            }
        }
        if (schedule.cluster().policy().juggling() != Juggling.NEVER) {
            for (var other : nearest) {
                boolean isWanted = !found.containsKey(other)
                        && (found.size() < limit || OtherWindow.NEAREST_FIRST.compare(other, found.lastKey()) < 0);
                truncated |= isWanted && trials.searchesAreOver();
                if (isWanted && !trials.searchesAreOver()) {
                    scores.placed(terms.within(other.window())).ifPresent(place -> found.put(other, place));
                }
                if (found.size() > limit) {
                    found.pollLastEntry();
                    truncated = true;
                }
            }
        }
        var alternatives = found.entrySet().stream()
                .flatMap(entry -> scores.known(entry.getValue()).stream()
                        .map(rated -> alternative(schedule, entry.getKey(), entry.getValue().found, rated, now)))
                .toList();
        return new Answer(alternatives, truncated || scores.areMissing);
    }

    private Alternative alternative(
            ClusterSchedule schedule, OtherWindow other, JugglingResult.Found found, Rated rated, long now) {
        var parts = found.place().parts();
        var asked = terms.within(other.window());
        var fixedPrice = PlaceSearch.open(schedule, asked, serviceClass, now) instanceof Opening.Open(var search)
                ? schedule.prices().of(search.terms(), parts, Mobility.NONE, serviceClass)
                : found.price();
        var offer = new Offer(parts, found.price(), fixedPrice, true, false, rated.availability(), rated.impact());
        return new Alternative(offer, other.phi(), asked);
    }

    /** A place and how available it is; empty as long as nobody needs to know. */
    private record Scored(JugglingResult.Found found, Optional<Rated> rated) {}

    /**
     * How available places are. Where the cluster has a threshold each of them is asked when it is found; where it has none only
     * those that are named, since any place is enough.
     */
    private static final class Scores {
        private final ClusterSchedule schedule;
        private final Trials trials;
        private final long now;
        private final RatedPlaces none;

        /** Whether one was not asked for, since no more plans may be made. */
        private boolean areMissing;

        private Scores(ClusterSchedule schedule, PlaceSearch search, Trials trials, long now) {
            this.schedule = schedule;
            this.trials = trials;
            this.now = now;
            this.none = RatedPlaces.none(schedule, search, now);
        }

        private Optional<Scored> besideTheOthers(RequestedTerms terms) {
            // where all are always placed anew, they may lie elsewhere in the end: that tells on the jobs, and on which
            // PEs are free
            var cluster = schedule.cluster();
            boolean mayMove = cluster.policy().juggling() == Juggling.ALWAYS
                    && (!schedule.jobs().isEmpty() || cluster.binding() == Binding.EARLY);
            return trials.besideTheOthers(schedule, terms)
                    .flatMap(found -> mayMove ? trials.placed(schedule, terms) : Optional.of(found))
                    .flatMap(this::enough);
        }

        private Optional<Scored> placed(RequestedTerms terms) {
            return trials.placed(schedule, terms).flatMap(this::enough);
        }

        private Optional<Scored> enough(JugglingResult.Found found) {
            if (!schedule.needsPlans()) {
                return Optional.of(new Scored(found, Optional.empty()));
            }
            var rules = schedule.cluster().policy().availability();
            return rated(found)
                    .filter(rated -> rated.isEnough(rules))
                    .map(rated -> new Scored(found, Optional.of(rated)));
        }

        private Optional<Rated> known(Scored scored) {
            return scored.rated.or(() -> rated(scored.found));
        }

        /** Empty if no more plans may be made. */
        private Optional<Rated> rated(JugglingResult.Found found) {
            var place = found.place();
            if (schedule.jobs().isEmpty()) {
                return Optional.of(new Rated(place, 1, Optional.empty()));
            }
            if (needsPlan(found)) {
                areMissing |= trials.plansAreOver();
                if (trials.plansAreOver()) {
                    return Optional.empty();
                }
                trials.plan();
            }
            return Optional.of(
                    none.and(place, schedule.moving(found.moves())).rated().getFirst());
        }

        private boolean needsPlan(JugglingResult.Found found) {
            boolean isBehindAllJobs = found.moves().isEmpty()
                    && found.place().start() >= schedule.plans(now).end();
            return isByPlans(schedule) && !isBehindAllJobs;
        }
    }

    /** Ψ, the nearest first. */
    private List<OtherWindow> windows(ClusterSchedule schedule, PlaceSearch search, long now) {
        var asked = search.terms();
        var policy = schedule.cluster().policy();
        long earliest = now + policy.limits().leadTime();
        long latest = now + policy.horizon();
        return starts(schedule, search, now).stream()
                .filter(start -> earliest <= start && start <= latest - asked.runTime())
                .filter(start -> outside(asked.window(), Slot.of(start, asked.runTime())))
                .map(start -> new OtherWindow(
                        new Window(start, start + asked.runTime()),
                        phi(asked.window(), Slot.of(start, asked.runTime()))))
                .filter(other -> other.phi().abs().compareTo(maxPhi) <= 0)
                .sorted(OtherWindow.NEAREST_FIRST)
                .toList();
    }

    private static boolean outside(Window window, Slot slot) {
        return !window.contains(slot);
    }

    /** OPTT^r of all other windows, whether they are within reach or not. */
    private static Set<Long> starts(ClusterSchedule schedule, PlaceSearch search, long now) {
        var asked = search.terms();
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
        ofJobs(schedule, now).filter(window::overlaps).forEach(slot -> around(slot.start(), slot.end(), asked, starts));
        if (!schedule.jobs().isEmpty()) {
            starts.add(
                    isByPlans(schedule)
                            ? schedule.plans(now).end()
                            : search.starts().busyUntil());
        }
        return starts;
    }

    /** When jobs run or are to run, as far as that tells how available slots are. */
    private static Stream<Slot> ofJobs(ClusterSchedule schedule, long now) {
        var running = schedule.jobs().running().stream().map(job -> job.part().slot());
        var first = schedule.keptPlaces().stream().map(Part::slot);
        var others = isByPlans(schedule) && !schedule.jobs().isEmpty()
                ? schedule.plans(now).slots().stream()
                : Stream.<Slot>empty();
        return Stream.of(running, first, others).flatMap(slots -> slots);
    }

    private static boolean isByPlans(ClusterSchedule schedule) {
        return schedule.cluster().policy().availability().method() == AvailabilityMethod.WHAT_IF;
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
