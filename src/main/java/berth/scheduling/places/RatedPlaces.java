package berth.scheduling.places;

import berth.batch.Impact;
import berth.batch.Plan;
import berth.batch.WhatIf;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.sla.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The places of a request that are examined alongside a batch queue, with their availability: paper 001, section 4. Their starts are
 * distributed evenly from the earliest to the latest start, both included; the cluster's rules set their largest number and smallest
 * distance. For a run with one shape and one part, the place that a job of its size would get is added if it lies in the window. Callers
 * can add others, such as the place that the policy chooses. A place that running jobs, reservations and the kept place do not leave free
 * has an availability of 0 and is excluded. The plan with that job is always one of the compared plans, so a request without a choice is
 * compared with waiting its turn.
 *
 * <p>Differs from the paper: if the window extends beyond the last planned end of a job, the starts are distributed over the time up to
 * that end, because all later starts are equal for the jobs; the earliest place after it represents them. The paper's requests limit their
 * windows, whereas here a window can extend to the cluster's horizon, over which evenly distributed starts would miss the whole queue.
 *
 * <p>A placeholder takes the same parts as the place. With n jobs each place takes O(n log n). The schedule does not change.
 */
public final class RatedPlaces {

    private final ClusterSchedule schedule;
    private final PlaceSearch search;
    private final long now;
    private final NavigableMap<Long, Planned> places;

    /** The plan in which the request is one more job, if that is possible. */
    private final Optional<Plan> asAJob;

    /** A place, the moves that make room for it, and the plan with it taken, if that plan was made. */
    private record Planned(Place place, List<ReservationEvent> moves, Optional<Plan> after) {}

    /**
     * A rated place of the request.
     *
     * @param availability the availability, in [0, 1]
     * @param impact the effect on the jobs; empty with availability by load, and if {@link Impact#of} cannot compare
     * @param moves the moves of other reservations that make room for it
     * @param effects its cost for others
     */
    public record Rated(
            Place place, double availability, Optional<Impact> impact, List<ReservationEvent> moves, Effects effects) {

        /** Returns a place that delays no job, because there are none. */
        static Rated withoutJobs(ClusterSchedule schedule, Place place, List<ReservationEvent> moves) {
            return new Rated(place, 1, Optional.empty(), moves, Effects.of(moves, schedule, OptionalInt.of(0)));
        }

        boolean isEnough(AvailabilityRules rules) {
            return availability > 0 && availability >= rules.minAvailability().doubleValue();
        }
    }

    private RatedPlaces(
            ClusterSchedule schedule,
            PlaceSearch search,
            long now,
            NavigableMap<Long, Planned> places,
            Optional<Plan> asAJob) {
        this.schedule = schedule;
        this.search = search;
        this.now = now;
        this.places = places;
        this.asAJob = asAJob;
    }

    /** Returns the places that are always examined. */
    public static RatedPlaces of(ClusterSchedule schedule, PlaceSearch search, long now) {
        var all = none(schedule, search, now);
        long latest = search.terms().latestStart();
        long quiet = isByPlans(schedule)
                ? Math.max(search.starts().earliest(), schedule.plans(now).end())
                : latest;
        starts(
                        search.starts().earliest(),
                        Math.min(quiet, latest),
                        rules(schedule).maxSlots(),
                        rules(schedule).minSlotGap())
                .forEach(start -> search.placeAt(start).ifPresent(place -> all.add(place, List.of())));
        if (quiet < latest) {
            search.first(quiet).ifPresent(place -> all.add(place, List.of()));
        }
        all.addThatOfAJob();
        return all;
    }

    /**
     * Returns an instance without places. Added places are compared with each other and with waiting its turn, as for a request without a
     * choice. Several instances whose requests differ only in their windows can share the plan in which the request is a job.
     */
    static RatedPlaces none(ClusterSchedule schedule, PlaceSearch search, long now) {
        return new RatedPlaces(schedule, search, now, new TreeMap<>(), asAJob(schedule, search.terms(), now));
    }

    /** Returns the most plans needed for the places that are always examined, for the job and for one more place. */
    static int mostPlans(ClusterSchedule schedule) {
        return rules(schedule).maxSlots() + 2;
    }

    /** Returns at most {@code most} starts that are at least {@code gap} apart, both ends included; if only one is possible, the first. */
    public static LongStream starts(long first, long last, int most, long gap) {
        long span = last - first;
        long steps = Math.min(most - 1L, span / gap);
        return steps == 0
                ? LongStream.of(first)
                : LongStream.rangeClosed(0, steps)
                        .map(step -> first + span / steps * step + span % steps * step / steps);
    }

    /**
     * Returns this with one more place, which replaces a place with the same start. If other reservations move for it, it is rated in the
     * schedule after the moves.
     */
    RatedPlaces and(Place place, List<ReservationEvent> moves) {
        var more = new RatedPlaces(schedule, search, now, new TreeMap<>(places), asAJob);
        more.add(place, moves);
        return more;
    }

    private void add(Place place, List<ReservationEvent> moves) {
        var known = places.get(place.start());
        if (moves.isEmpty() && known != null && known.place.equals(place)) {
            return;
        }
        var after = isByPlans(schedule)
                ? Optional.of(schedule.moving(moves).plans(now).beside(place.parts()))
                : Optional.<Plan>empty();
        places.put(place.start(), new Planned(place, moves, after));
    }

    /** Returns the plan P^JOB of section 4.2, for a run with one shape and one part. */
    private static Optional<Plan> asAJob(ClusterSchedule schedule, Terms terms, long now) {
        boolean isPlanned = isByPlans(schedule)
                && !schedule.jobs().isEmpty()
                && terms.shapes().size() == 1
                && !terms.isPreemptible();
        return isPlanned ? Optional.of(schedule.plans(now).with(terms.pes(), terms.runTime())) : Optional.empty();
    }

    /**
     * Adds the place of the job if it lies in the window. The plan with that place reserved equals the job's plan: before the job starts,
     * neither it nor its place blocks anything, and afterwards both have the same PEs.
     */
    private void addThatOfAJob() {
        asAJob.stream()
                .flatMapToLong(plan -> plan.start(plan.size() - 1).stream())
                .filter(start -> search.starts().earliest() <= start
                        && start <= search.terms().latestStart())
                .mapToObj(search::placeAt)
                .flatMap(Optional::stream)
                .forEach(place -> places.putIfAbsent(place.start(), new Planned(place, List.of(), asAJob)));
    }

    private static boolean isByPlans(ClusterSchedule schedule) {
        return rules(schedule).method() == AvailabilityMethod.WHAT_IF;
    }

    private static AvailabilityRules rules(ClusterSchedule schedule) {
        return schedule.cluster().policy().availability();
    }

    /** Returns all places by start. */
    public List<Rated> rated() {
        var plans = places.values().stream()
                .flatMap(one -> one.after().stream())
                .map(plan -> plan.figures(now))
                .collect(Collectors.toCollection(ArrayList::new));
        if (plans.isEmpty()) {
            return places.values().stream().map(this::byLoad).toList();
        }
        // considered even if its place is outside the window
        asAJob.ifPresent(plan -> plans.add(plan.figures(now)));
        var original = schedule.plans(now).original();
        var before = original.figures(now);
        var measure = WhatIf.among(plans, rules(schedule).makespanWeight().doubleValue());
        return places.values().stream()
                .map(one -> {
                    var plan = one.after().orElseThrow();
                    var after = plan.figures(now);
                    return new Rated(
                            one.place(),
                            measure.availability(after),
                            Impact.of(before, after),
                            one.moves(),
                            Effects.of(one.moves(), schedule, OptionalInt.of(plan.delayed(original))));
                })
                .toList();
    }

    private Rated byLoad(Planned one) {
        boolean isAvailable = search.starts().isAfterPresentWork(one.place().start());
        var jobsDelayed = schedule.jobs().waiting().isEmpty() ? OptionalInt.of(0) : OptionalInt.empty();
        return new Rated(
                one.place(),
                isAvailable ? 1 : 0,
                Optional.empty(),
                one.moves(),
                Effects.of(one.moves(), schedule, jobsDelayed));
    }

    /**
     * Returns what a newcomer {@linkplain #granted gets} that would find that place; {@link Rejection.TooBusy} if no acceptable place is
     * available enough.
     *
     * @param start the chosen start; with one, no other place is acceptable
     * @param earliest the earliest start of another place
     */
    public static JugglingResult enough(
            ClusterSchedule schedule,
            PlaceSearch search,
            JugglingResult.Found found,
            OptionalLong start,
            long earliest,
            long now) {
        if (!schedule.needsPlans()) {
            return found;
        }
        var rules = rules(schedule);
        var place = found.place();
        var rated = of(schedule, search, now).and(place, found.moves()).rated();
        var granted = granted(
                schedule,
                search.terms(),
                rated,
                place,
                other -> start.isEmpty() && other.start() >= earliest && search.isAffordable(other));
        if (granted.isEmpty()) {
            double best = start.isEmpty() ? best(rated) : at(rated, place);
            return new JugglingResult.Nothing(new Rejection.TooBusy(best, rules.minAvailability()), found.effort());
        }
        var instead = granted.get().place();
        return instead.start() == place.start()
                ? found
                : JugglingResult.of(new PlaceSearch.Search.Found(instead, search.price(instead)));
    }

    /**
     * Returns the place that a request gets among those that are available enough. If jobs wait and the cluster asks for availability, a
     * request with freedom gets the most available place, the earliest among equals: the best slot of paper 001, section 3. Any other
     * request gets the chosen place, or else the earliest acceptable one.
     *
     * @param chosen the place that the policy or the client has chosen
     * @param mayBe whether another place is acceptable
     */
    static Optional<Rated> granted(
            ClusterSchedule schedule, Terms terms, List<Rated> rated, Place chosen, Predicate<Place> mayBe) {
        var enough = rated.stream()
                .filter(one -> one.isEnough(rules(schedule))
                        && (one.place().start() == chosen.start() || mayBe.test(one.place())))
                .toList();
        boolean isBestWanted =
                schedule.needsPlans() && !schedule.jobs().waiting().isEmpty() && !terms.stay();
        return isBestWanted
                ? enough.stream().reduce((best, next) -> next.availability() > best.availability() ? next : best)
                : enough.stream()
                        .filter(one -> one.place().start() == chosen.start())
                        .findFirst()
                        .or(() -> enough.stream().findFirst());
    }

    /** Returns the availability of a place among {@code rated}. */
    private static double at(List<Rated> rated, Place place) {
        return rated.stream()
                .filter(one -> one.place().start() == place.start())
                .findFirst()
                .orElseThrow()
                .availability();
    }

    /** Returns the best availability of {@code rated}; 0 if there are none. */
    static double best(List<Rated> rated) {
        return rated.stream().mapToDouble(Rated::availability).max().orElse(0);
    }
}
