package berth.scheduling.places;

import berth.cluster.AvailabilityMethod;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.TermsRule;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.RatedPlaces.Rated;
import berth.sla.Customer;
import berth.sla.Mobility;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A read-only question: where else would a request fit that does not fit in its window? Paper 000, Algorithm 2.
 *
 * <p>Each reservation (a job in the paper) that intersects the window suggests other windows, whatever its index in the waiting queue. Such
 * a window (in the paper an option) is exactly as long as the run: OPTD = OPTT^r + T^e. As in the paper, there is one before the
 * reservation's ready time and one after its deadline. Berth adds one before its planned start and one after its planned end, and does the
 * same for outages. For a run in several shapes, Berth adds windows that are as long as the longest shape, in which all shapes may be
 * placed. A window holds an alternative if the request would be admitted in it, with replanning if the cluster replans.
 *
 * <p>The paper sets T^r and D of the option. Here the slack that the client has offered goes along: OPTD is later by it, as far as the
 * horizon allows, and the run begins at OPTT^r, which fixes φ. A place that is final at once cannot use slack and goes without.
 *
 * <p>The paper has no batch jobs. Here they suggest windows too. Running jobs and the first waiting job suggest one before their start and
 * one after their end. If availability is rated by what-if, so do the planned starts and ends of the other jobs, and the end of the plan,
 * after which no job is delayed. If it is rated by load, the first allowed start does. Each alternative has the availability that a {@link
 * Probe} of its terms would return, and at least the cluster's minimum.
 *
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; every other start then counts as an alternative. Empty if the policy chooses
 * @param customer the account that asks
 * @param hold how long the place would be held first, in seconds; counts in the price
 * @param keepsSlack whether slack goes along; without it, the window of an alternative is only as long as the run
 * @param maxPhi the largest |φ| of an alternative
 * @param limit the most alternatives to return, at least 1
 */
public record Alternatives(
        RequestedTerms terms,
        OptionalLong start,
        Customer customer,
        long hold,
        boolean keepsSlack,
        BigDecimal maxPhi,
        int limit) {

    /** The most windows to examine. */
    private static final int MAX_WINDOWS = 2_000;

    /** The most places to search for. */
    private static final int MAX_SEARCHES = 4_000;

    private static final int DECIMALS = 6;

    /**
     * An offer outside the window.
     *
     * @param offer the offer
     * @param phi the distance from the window in run times of the request: φ as the paper prints it, negative before the window
     * @param terms the terms to request in order to accept it: the same terms with another window
     * @param start the start to request with them, in seconds since the epoch; empty if they allow no other
     */
    public record Alternative(Offer offer, BigDecimal phi, RequestedTerms terms, OptionalLong start) {}

    /** The alternatives in the order of |φ|, the later one first among equals. {@code truncated} is true if there may be more. */
    public record Answer(List<Alternative> found, boolean truncated) {}

    /** A window to try. */
    private record OtherWindow(Window window, BigDecimal phi) {

        private static final Comparator<OtherWindow> NEAREST_FIRST = Comparator.<OtherWindow, BigDecimal>comparing(
                        other -> other.phi.abs())
                .thenComparing(other -> other.phi, Comparator.reverseOrder())
                .thenComparingLong(other -> other.window.readyTime());
    }

    /** A request to try: terms with another window, and the chosen start. */
    private record Wish(RequestedTerms terms, OptionalLong start) {}

    /** Asks for alternatives that are confirmed at once, for a request that leaves the start to the policy. */
    public Alternatives(RequestedTerms terms, Customer customer, BigDecimal maxPhi, int limit) {
        this(terms, OptionalLong.empty(), customer, 0, true, maxPhi, limit);
    }

    /** Finds the alternatives. O(n) for n live reservations, plus the searches for places. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(
                schedule, terms.at(start, schedule.cluster().rating()), customer, now)) {
            case Outcome.NotDone _ -> new Answer(List.of(), false);
            case Outcome.Done(var search) -> tried(schedule, search, windows(schedule, search, now), now);
        };
    }

    /**
     * The slack that goes along.
     *
     * @param time the run time of the largest shape and the slack together, in seconds; 0 if no slack goes along
     * @param latest the end of the horizon, in seconds since the epoch
     */
    private record Freedom(long time, long latest) {

        /** Returns the window that goes along with one that is as long as a run. */
        Window around(Window window) {
            return new Window(
                    window.readyTime(), Math.max(window.deadline(), Math.min(window.readyTime() + time, latest)));
        }
    }

    private Freedom freedom(ClusterSchedule schedule, long now) {
        boolean isUsable = keepsSlack && !terms.areFinalAtOnce();
        long time = isUsable
                        && PlaceSearch.open(schedule, terms, customer, now) instanceof Outcome.Done(var search)
                        && !search.terms().stay()
                        && search.terms().flexibility() > 0
                ? search.terms().window().length()
                : 0;
        return new Freedom(time, now + schedule.cluster().policy().horizon());
    }

    private Wish wish(Window window, Freedom freedom) {
        return freedom.time == 0
                ? new Wish(terms.within(window), OptionalLong.empty())
                : new Wish(terms.within(freedom.around(window)), OptionalLong.of(window.readyTime()));
    }

    /**
     * Tries first the windows in which no reservation has to move, which is quick, then windows that are nearer or needed to reach the
     * limit.
     */
    private Answer tried(ClusterSchedule schedule, PlaceSearch search, List<OtherWindow> windows, long now) {
        var trials = new Trials(customer, hold, now, MAX_SEARCHES);
        var freedom = freedom(schedule, now);
        var scores = new Scores(schedule, search, trials, now);
        var found = new TreeMap<OtherWindow, Scored>(OtherWindow.NEAREST_FIRST);
        boolean truncated = windows.size() > MAX_WINDOWS;
        var nearest = windows.subList(0, Math.min(windows.size(), MAX_WINDOWS));
        for (var other : nearest) {
            truncated |= found.size() == limit;
            truncated |= trials.searchesAreOver();
            if (found.size() < limit && !trials.searchesAreOver()) {
                scores.besideTheOthers(wish(other.window(), freedom)).ifPresent(place -> add(place, other, found));
            }
        }
        if (schedule.cluster().policy().juggling() != Juggling.NEVER) {
            for (var other : nearest) {
                boolean isWanted = !found.containsKey(other)
                        && (found.size() < limit || OtherWindow.NEAREST_FIRST.compare(other, found.lastKey()) < 0);
                truncated |= isWanted && trials.searchesAreOver();
                if (isWanted && !trials.searchesAreOver()) {
                    scores.placed(wish(other.window(), freedom)).ifPresent(place -> add(place, other, found));
                }
                if (found.size() > limit) {
                    found.pollLastEntry();
                    truncated = true;
                }
            }
        }
        var alternatives = found.entrySet().stream()
                .flatMap(entry -> {
                    var wish = wish(entry.getKey().window(), freedom);
                    var place = entry.getValue();
                    return scores.known(place, wish).stream()
                            .map(rated ->
                                    alternative(schedule, wish, entry.getKey().phi(), place.found, rated, now));
                })
                .toList();
        return new Answer(alternatives, truncated || scores.areMissing);
    }

    /** Adds a place unless it was found in another window: windows of a run in several shapes contain each other. */
    private static void add(Scored place, OtherWindow in, Map<OtherWindow, Scored> found) {
        var parts = place.found.place().parts();
        if (found.values().stream()
                .noneMatch(other -> other.found.place().parts().equals(parts))) {
            found.put(in, place);
        }
    }

    private Alternative alternative(
            ClusterSchedule schedule, Wish wish, BigDecimal phi, JugglingResult.Found found, Rated rated, long now) {
        var parts = found.place().parts();
        var fixedPrice = PlaceSearch.open(schedule, wish.terms, customer, now) instanceof Outcome.Done(var search)
                ? schedule.prices(customer).of(search.terms(), parts, Mobility.NONE)
                : found.price();
        var offer = new Offer(
                parts,
                found.price(),
                fixedPrice,
                true,
                false,
                rated.availability(),
                rated.impact(),
                rated.moves(),
                rated.effects());
        return new Alternative(offer, phi, wish.terms, wish.start);
    }

    /** A place and its availability, which is empty until it is needed. */
    private record Scored(JugglingResult.Found found, Optional<Rated> rated) {}

    /**
     * The availability of places. With a minimum, each place is rated when it is found; without one, only the places that are returned are
     * rated.
     */
    private static final class Scores {
        private final ClusterSchedule schedule;
        private final Trials trials;
        private final long now;
        private final RatedPlaces none;

        /** Whether a place was not rated because no more plans may be made. */
        private boolean areMissing;

        private Scores(ClusterSchedule schedule, PlaceSearch search, Trials trials, long now) {
            this.schedule = schedule;
            this.trials = trials;
            this.now = now;
            this.none = RatedPlaces.none(schedule, search, now);
        }

        private Optional<Scored> besideTheOthers(Wish wish) {
            return trials.besideTheOthers(schedule, wish.terms, wish.start)
                    .flatMap(found -> replansAlways() && mattersWhereOthersLie()
                            ? trials.placed(schedule, wish.terms, wish.start)
                            : Optional.of(found))
                    .flatMap(this::enough);
        }

        /** Whether the place of a request, or its availability, depends on where others end up. */
        private boolean mattersWhereOthersLie() {
            return !schedule.jobs().isEmpty() || schedule.cluster().binding() == Binding.EARLY;
        }

        private boolean replansAlways() {
            return schedule.cluster().policy().juggling() == Juggling.ALWAYS;
        }

        private Optional<Scored> placed(Wish wish) {
            return trials.placed(schedule, wish.terms, wish.start).flatMap(this::enough);
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

        /** Returns a place as it is rated, with the moves that the request would cause if the cluster always replans. */
        private Optional<Rated> known(Scored scored, Wish wish) {
            if (replansAlways()
                    && !mattersWhereOthersLie()
                    && scored.found.moves().isEmpty()) {
                var moves = trials.placed(schedule, wish.terms, wish.start)
                        .map(JugglingResult.Found::moves)
                        .orElse(List.of());
                return Optional.of(Rated.withoutJobs(schedule, scored.found.place(), moves));
            }
            return scored.rated.or(() -> rated(scored.found));
        }

        /** Returns the rated place; empty if no more plans may be made. */
        private Optional<Rated> rated(JugglingResult.Found found) {
            var place = found.place();
            if (schedule.jobs().isEmpty()) {
                return Optional.of(Rated.withoutJobs(schedule, place, found.moves()));
            }
            if (needsPlan(found)) {
                areMissing |= trials.plansAreOver();
                if (trials.plansAreOver()) {
                    return Optional.empty();
                }
                trials.plan();
            }
            return Optional.of(none.and(place, found.moves()).rated().getFirst());
        }

        private boolean needsPlan(JugglingResult.Found found) {
            boolean isBehindAllJobs = found.moves().isEmpty()
                    && found.place().start() >= schedule.plans(now).end();
            return isByPlans(schedule) && !isBehindAllJobs;
        }
    }

    /** Returns Ψ, the windows to try, nearest first. */
    private List<OtherWindow> windows(ClusterSchedule schedule, PlaceSearch search, long now) {
        return Stream.of(search.terms().runTime(), longestRunTime(schedule, search.terms()))
                .distinct()
                .flatMap(length -> windows(schedule, search, length, now))
                .sorted(OtherWindow.NEAREST_FIRST)
                .toList();
    }

    /** Returns the run time of the longest shape that the cluster allows. */
    private long longestRunTime(ClusterSchedule schedule, Terms asked) {
        var bounds = TermsRule.bounds(schedule.cluster());
        return Math.max(asked.runTime(), Math.min(terms.longestRunTime(bounds.rating()), bounds.runTime()));
    }

    /** Returns the windows of that length, or as much of them as the horizon allows. */
    private Stream<OtherWindow> windows(ClusterSchedule schedule, PlaceSearch search, long length, long now) {
        var asked = search.terms();
        var policy = schedule.cluster().policy();
        // a hold ends at the start at the latest
        long earliest = now + Math.max(policy.limits().leadTime(), hold > 0 ? 1 : 0);
        long latest = now + policy.horizon();
        return starts(schedule, search, length, now).stream()
                .filter(start -> earliest <= start && start <= latest - asked.runTime())
                .map(start -> Slot.of(start, Math.min(length, latest - start)))
                .filter(slot -> outside(asked.window(), slot))
                .map(slot -> new OtherWindow(new Window(slot.start(), slot.end()), phi(asked.window(), slot)))
                .filter(other -> other.phi().abs().compareTo(maxPhi) <= 0);
    }

    private static boolean outside(Window window, Slot slot) {
        return !window.contains(slot);
    }

    /** Returns OPTT^r of all windows, within reach or not. */
    private static Set<Long> starts(ClusterSchedule schedule, PlaceSearch search, long length, long now) {
        var asked = search.terms();
        var starts = new TreeSet<Long>();
        var window = new Slot(asked.window().readyTime(), asked.window().deadline());
        for (var reservation : schedule.reservations()) {
            if (intersects(reservation, window)) {
                around(
                        reservation.terms().window().readyTime(),
                        reservation.terms().window().deadline(),
                        length,
                        starts);
                for (var part : reservation.parts()) {
                    around(part.slot().start(), part.slot().end(), length, starts);
                }
            }
        }
        for (var outage : schedule.outages()) {
            if (outage.slot().overlaps(window)) {
                around(outage.slot().start(), outage.slot().end(), length, starts);
            }
        }
        ofJobs(schedule, now)
                .filter(window::overlaps)
                .forEach(slot -> around(slot.start(), slot.end(), length, starts));
        if (!schedule.jobs().isEmpty()) {
            starts.add(
                    isByPlans(schedule)
                            ? schedule.plans(now).end()
                            : search.starts().busyUntil());
        }
        return starts;
    }

    /** Returns the actual and planned slots of jobs that affect the availability of slots. */
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

    /** Adds the starts of windows of a length before and after the time from {@code start} to {@code end}. */
    private static void around(long start, long end, long length, Set<Long> starts) {
        starts.add(start - length);
        starts.add(end);
    }

    /** Returns φ: by how much a run misses a window, in run times; negative before the window and 0 inside it. */
    public static BigDecimal phi(Window window, Slot run) {
        long missed = run.start() < window.readyTime()
                ? run.start() - window.readyTime()
                : Math.max(0, run.end() - window.deadline());
        return BigDecimal.valueOf(missed).divide(BigDecimal.valueOf(run.duration()), DECIMALS, RoundingMode.HALF_UP);
    }
}
