package berth.scheduling;

import berth.batch.Impact;
import berth.batch.Impact.Figures;
import berth.batch.Plan;
import berth.batch.WhatIf;
import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.sla.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The places of a request that are looked at beside a batch queue, and how available they are: paper 001, section 4. They
 * start at most so often as the cluster's rules have it, evenly over the time from the earliest to the latest start, both
 * included, and not closer than the rules have it. Where the run is of one shape and in one piece, the place that a job of
 * its size would get is one more, if it lies in the window; and others that somebody wants to know, like the one that the
 * cluster's policy chooses. A place that is not free beside running jobs, reservations and where the first waiting job is
 * to run has an availability of 0 and is not among them. The plan with that job is one of those that are compared, wherever
 * its place is: so a request that leaves no choice is compared with waiting its turn.
 *
 * <p>Ours: where the window reaches beyond the last planned end of a job, the starts lie evenly over the time up to that end,
 * since all that are later are alike for the jobs; the earliest place from then on stands for them. The paper's windows were
 * given by its requests; ours may reach as far as the cluster's horizon, where even steps would pass by the whole queue.
 *
 * <p>A placeholder takes what the place takes, part by part. With n jobs each place takes O(n log n). Nothing is changed.
 */
final class RatedPlaces {

    private final ClusterSchedule schedule;
    private final PlaceSearch search;
    private final long now;
    private final NavigableMap<Long, Planned> places;

    /** How the jobs get on if the request joins them as one more; where that can be. */
    private final Optional<Plan> asAJob;

    /** A place, and how the jobs get on with it taken, as far as they are planned. */
    private record Planned(Place place, Optional<Figures> after) {}

    /**
     * A place of the request.
     *
     * @param availability in [0, 1]
     * @param impact empty where availability is told by load, and where {@link Impact#of} has nothing to compare
     */
    record Rated(Place place, double availability, Optional<Impact> impact) {

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

    /** Those that are looked at anyway. */
    static RatedPlaces of(ClusterSchedule schedule, PlaceSearch search, long now) {
        var all = none(schedule, search, now);
        long latest = search.terms().latestStart();
        long quiet = isByPlans(schedule)
                ? Math.max(search.starts().earliest(), schedule.plans(now).end())
                : latest;
        starts(search.starts().earliest(), Math.min(quiet, latest), rules(schedule))
                .forEach(start -> search.placeAt(start).ifPresent(place -> all.add(place, schedule)));
        if (quiet < latest) {
            search.first(quiet).ifPresent(place -> all.add(place, schedule));
        }
        all.addThatOfAJob();
        return all;
    }

    /**
     * None so far. What is added is compared with that and with waiting its turn, as the one place of a request that leaves no
     * choice is: so that many of these, which only differ in their windows, share the plan in which the request is a job.
     */
    static RatedPlaces none(ClusterSchedule schedule, PlaceSearch search, long now) {
        return new RatedPlaces(schedule, search, now, new TreeMap<>(), asAJob(schedule, search.terms(), now));
    }

    /** How many plans there are at the most of those that are looked at anyway, of a job and of one more place. */
    static int mostPlans(ClusterSchedule schedule) {
        return rules(schedule).maxSlots() + 2;
    }

    /** At most as many as the rules allow, both ends included; of one only the first. */
    static LongStream starts(long first, long last, AvailabilityRules rules) {
        long span = last - first;
        long steps = Math.min(rules.maxSlots() - 1L, span / rules.minSlotGap());
        return steps == 0
                ? LongStream.of(first)
                : LongStream.rangeClosed(0, steps)
                        .map(step -> first + span / steps * step + span % steps * step / steps);
    }

    /** With one more place, or another one at its start: where others have moved for it, among them as they lie then. */
    RatedPlaces and(Place place, ClusterSchedule moved) {
        var more = new RatedPlaces(schedule, search, now, new TreeMap<>(places), asAJob);
        more.add(place, moved);
        return more;
    }

    private void add(Place place, ClusterSchedule moved) {
        var known = places.get(place.start());
        if (moved == schedule && known != null && known.place.equals(place)) {
            return;
        }
        var after = isByPlans(schedule)
                ? Optional.of(moved.plans(now).beside(place.parts()).figures(now))
                : Optional.<Figures>empty();
        places.put(place.start(), new Planned(place, after));
    }

    /** The plan P^JOB of section 4.2, for a run of one shape and in one piece. */
    private static Optional<Plan> asAJob(ClusterSchedule schedule, Terms terms, long now) {
        boolean isPlanned = isByPlans(schedule)
                && !schedule.jobs().isEmpty()
                && terms.shapes().size() == 1
                && !terms.isPreemptible();
        return isPlanned ? Optional.of(schedule.plans(now).with(terms.pes(), terms.runTime())) : Optional.empty();
    }

    /**
     * The place of the job, if it lies in the window. Its plan is that with the same place reserved: before the job starts it is
     * in nobody's way, nor is its place to be, and then both have the same PEs.
     */
    private void addThatOfAJob() {
        asAJob.stream()
                .flatMapToLong(plan -> plan.start(plan.size() - 1).stream())
                .filter(start -> search.starts().earliest() <= start
                        && start <= search.terms().latestStart())
                .mapToObj(search::placeAt)
                .flatMap(Optional::stream)
                .forEach(place -> places.putIfAbsent(place.start(), new Planned(place, figuresAsAJob())));
    }

    private Optional<Figures> figuresAsAJob() {
        return asAJob.map(plan -> plan.figures(now));
    }

    private static boolean isByPlans(ClusterSchedule schedule) {
        return rules(schedule).method() == AvailabilityMethod.WHAT_IF;
    }

    private static AvailabilityRules rules(ClusterSchedule schedule) {
        return schedule.cluster().policy().availability();
    }

    /** All of them, by start. */
    List<Rated> rated() {
        var plans = places.values().stream()
                .flatMap(one -> one.after().stream())
                .collect(Collectors.toCollection(ArrayList::new));
        if (plans.isEmpty()) {
            return places.values().stream().map(this::byLoad).toList();
        }
        // considered also where its place is outside of the window
        figuresAsAJob().ifPresent(plans::add);
        var before = schedule.plans(now).original().figures(now);
        var measure = WhatIf.among(plans, rules(schedule).makespanWeight().doubleValue());
        return places.values().stream()
                .map(one -> {
                    var after = one.after().orElseThrow();
                    return new Rated(one.place(), measure.availability(after), Impact.of(before, after));
                })
                .toList();
    }

    private Rated byLoad(Planned one) {
        boolean isAvailable = search.starts().isAfterPresentWork(one.place().start());
        return new Rated(one.place(), isAvailable ? 1 : 0, Optional.empty());
    }

    /**
     * What a newcomer gets that would find that place: it, if it is available enough, else the earliest that is and that it may
     * have; {@link Rejection.TooBusy} if there is none.
     *
     * @param start which it has chosen; then it may have no other
     * @param earliest before which it may have no other
     */
    static JugglingResult enough(
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
        var rated = of(schedule, search, now)
                .and(place, schedule.moving(found.moves()))
                .rated();
        var granted = granted(
                rated,
                place,
                rules,
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

    /** What a request gets of {@code rated}: the place that is chosen for it if that is available enough, else the earliest that is and may be. */
    static Optional<Rated> granted(List<Rated> rated, Place chosen, AvailabilityRules rules, Predicate<Place> mayBe) {
        return rated.stream()
                .filter(one -> one.place().start() == chosen.start() && one.isEnough(rules))
                .findFirst()
                .or(() -> rated.stream()
                        .filter(one -> one.isEnough(rules) && mayBe.test(one.place()))
                        .findFirst());
    }

    /** The availability of one that is among {@code rated}. */
    private static double at(List<Rated> rated, Place place) {
        return rated.stream()
                .filter(one -> one.place().start() == place.start())
                .findFirst()
                .orElseThrow()
                .availability();
    }

    /** The best availability of {@code rated}; 0 if there are none. */
    static double best(List<Rated> rated) {
        return rated.stream().mapToDouble(Rated::availability).max().orElse(0);
    }
}
