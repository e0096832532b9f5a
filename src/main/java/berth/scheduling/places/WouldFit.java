package berth.scheduling.places;

import berth.cluster.Juggling;
import berth.outcome.Outcome;
import berth.scheduling.ClusterSchedule;
import berth.sla.Customer;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/**
 * A read-only question: how would a refused request have to change to be admitted? Each part of the answer changes one figure and keeps the
 * other terms as requested. Every answer was tried and would be admitted. On a cluster that replans, a smaller change may be enough too,
 * because more room for one reservation can mean less for others; the search halves the distance as often as time allows.
 *
 * <p>On a cluster with batch jobs, every answer is also available enough. A trial needs as many plans of the queue as a probe, so only a
 * few are made: the smallest change that fits is tried first and, if that is too busy, some between it and the largest.
 *
 * @param terms the requested terms
 * @param customer the account that asks
 */
public record WouldFit(RequestedTerms terms, Customer customer) {

    /** The most places to search for, for each part of the answer. */
    private static final int MAX_SEARCHES = 1_000;

    /**
     * The figures that would be admitted. A figure is empty if none was found; PEs and duration are also empty if the terms allow several
     * shapes.
     *
     * @param deadline the earliest deadline, in seconds since the epoch
     * @param pes the most PEs
     * @param duration the longest duration, in seconds on a standard PE
     */
    public record Answer(Optional<Change> deadline, Optional<Change> pes, Optional<Change> duration) {

        /** Nothing would be admitted, or no search was made. */
        public static final Answer NOTHING = new Answer(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * A figure that would be admitted.
     *
     * @param effects the cost for others of the place that a reservation would get
     */
    public record Change(long figure, Effects effects) {}

    /** Finds the answer. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, customer, now)) {
            case Outcome.NotDone _ -> Answer.NOTHING;
            case Outcome.Done(var search) ->
                new Answer(deadline(schedule, search.terms(), now), pes(schedule, now), duration(schedule, now));
        };
    }

    private Optional<Change> deadline(ClusterSchedule schedule, Terms asked, long now) {
        long ready = asked.window().readyTime();
        long horizon = now + schedule.cluster().policy().horizon();
        if (asked.window().deadline() >= horizon) {
            return Optional.empty();
        }
        return nearest(
                schedule,
                now,
                asked.window().deadline(),
                horizon,
                deadline -> terms.within(new Window(ready, deadline)),
                found -> found.place().slot().end());
    }

    private Optional<Change> pes(ClusterSchedule schedule, long now) {
        if (terms.moldability().isPresent()) {
            return Optional.empty();
        }
        int granule = schedule.cluster().nodes().granule();
        return nearest(
                        schedule,
                        now,
                        terms.pes() / granule,
                        1,
                        nodes -> terms.rigid(terms.duration(), Math.toIntExact(nodes * granule)),
                        _ -> 1)
                .map(most -> new Change(most.figure() * granule, most.effects()));
    }

    private Optional<Change> duration(ClusterSchedule schedule, long now) {
        long least = leastDuration(schedule.cluster().rating());
        return terms.moldability().isPresent()
                ? Optional.empty()
                : nearest(
                        schedule,
                        now,
                        terms.duration(),
                        least,
                        seconds -> terms.rigid(seconds, terms.pes()),
                        _ -> least);
    }

    /** Returns the shortest duration on a standard PE that leaves a second for each step on PEs with that rating. */
    private long leastDuration(BigDecimal rating) {
        int steps = terms.preemption().map(Preemption::stepCount).orElse(1);
        return BigDecimal.valueOf(steps - 1L).multiply(rating).longValue() + 1;
    }

    /**
     * Returns the figure closest to {@code refused} that is admitted, by bisection between it and {@code likely}, with its effects; empty
     * if {@code likely} is not admitted either.
     *
     * @param needed returns the figure that would have been enough for a place found
     */
    private Optional<Change> nearest(
            ClusterSchedule schedule,
            long now,
            long refused,
            long likely,
            LongFunction<RequestedTerms> with,
            ToLongFunction<JugglingResult.Found> needed) {
        var trials = new Trials(customer, now, MAX_SEARCHES);
        var nearest = nearest(schedule, trials, refused, likely, with, needed);
        if (nearest.isEmpty()) {
            return Optional.empty();
        }
        var terms = with.apply(nearest.getAsLong());
        var found = schedule.needsPlans() ? trials.admitted(schedule, terms) : trials.placed(schedule, terms);
        return found.map(place -> new Change(nearest.getAsLong(), Effects.of(place, schedule, now)));
    }

    private static OptionalLong nearest(
            ClusterSchedule schedule,
            Trials trials,
            long refused,
            long likely,
            LongFunction<RequestedTerms> with,
            ToLongFunction<JugglingResult.Found> needed) {
        if (likely == refused
                || trials.besideTheOthers(schedule, with.apply(likely)).isEmpty()) {
            return OptionalLong.empty();
        }
        long beside = nearest(
                refused,
                likely,
                trials,
                figure -> trials.besideTheOthers(schedule, with.apply(figure)).isPresent());
        boolean mayMove = schedule.cluster().policy().juggling() != Juggling.NEVER;
        long placed = mayMove
                ? nearest(
                        refused,
                        beside,
                        trials,
                        figure -> trials.placed(schedule, with.apply(figure)).isPresent())
                : beside;
        return schedule.needsPlans()
                ? available(schedule, placed, likely, trials, with, needed)
                : OptionalLong.of(placed);
    }

    /** Returns the closest admitted figure among those tried from the first with a place onwards; empty if the farthest is not admitted. */
    private static OptionalLong available(
            ClusterSchedule schedule,
            long placed,
            long likely,
            Trials trials,
            LongFunction<RequestedTerms> with,
            ToLongFunction<JugglingResult.Found> needed) {
        LongFunction<Optional<JugglingResult.Found>> admitted = figure -> trials.admitted(schedule, with.apply(figure));
        if (admitted.apply(placed).isPresent()) {
            return OptionalLong.of(placed);
        }
        var farthest = admitted.apply(likely);
        if (farthest.isEmpty()) {
            return OptionalLong.empty();
        }
        long enough = needed.applyAsLong(farthest.get());
        long from = enough == likely || admitted.apply(enough).isPresent() ? enough : likely;
        return OptionalLong.of(
                nearest(placed, from, trials, figure -> admitted.apply(figure).isPresent()));
    }

    private static long nearest(long refused, long admitted, Trials trials, LongPredicate isAdmitted) {
        long out = refused;
        long in = admitted;
        while (Math.abs(out - in) > 1 && !trials.areOver()) {
            long middle = in + (out - in) / 2;
            if (isAdmitted.test(middle)) {
                in = middle;
            } else {
                out = middle;
            }
        }
        return in;
    }
}
