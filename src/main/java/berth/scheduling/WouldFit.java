package berth.scheduling;

import berth.cluster.Juggling;
import berth.scheduling.PlaceSearch.Opening;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/**
 * A question without effect: by how much must a request that is refused give way? Each of the answers holds with the other
 * terms as they were asked for. What is named would be admitted, as was tried; where the waiting queue is placed anew,
 * something nearer may be admitted, too, since more room for one can mean less for others: it is searched by halves, as long as that
 * may take.
 *
 * <p>Beside batch jobs, what is named is available enough, too. Since each trial takes as many plans of their queue as a probe, only
 * a few are made: the nearest that fits is tried first, and if that is too busy, some between it and the farthest.
 *
 * @param terms what was asked for
 * @param serviceClass how the account is classed
 */
public record WouldFit(RequestedTerms terms, ServiceClass serviceClass) {

    /** The places that may be searched for to find each of the answers. */
    private static final int MAX_SEARCHES = 1_000;

    /**
     * What would be admitted; empty where nothing was found, and of PEs and duration where the terms leave the shape open.
     *
     * @param deadline the earliest, seconds since the epoch
     * @param pes the most
     * @param duration the longest, in seconds on a standard PE
     */
    public record Answer(OptionalLong deadline, OptionalInt pes, OptionalLong duration) {}

    /** Finds it. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut _ -> new Answer(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());
            case Opening.Open(var search) ->
                new Answer(deadline(schedule, search.terms(), now), pes(schedule, now), duration(schedule, now));
        };
    }

    private OptionalLong deadline(ClusterSchedule schedule, Terms asked, long now) {
        long ready = asked.window().readyTime();
        long horizon = now + schedule.cluster().policy().horizon();
        if (asked.window().deadline() >= horizon) {
            return OptionalLong.empty();
        }
        return nearest(
                schedule,
                now,
                asked.window().deadline(),
                horizon,
                deadline -> terms.within(new Window(ready, deadline)),
                found -> found.place().slot().end());
    }

    private OptionalInt pes(ClusterSchedule schedule, long now) {
        if (terms.moldability().isPresent()) {
            return OptionalInt.empty();
        }
        int granule = schedule.cluster().nodes().granule();
        var most = nearest(
                schedule,
                now,
                terms.pes() / granule,
                1,
                nodes -> terms.rigid(terms.duration(), Math.toIntExact(nodes * granule)),
                _ -> 1);
        return most.isPresent() ? OptionalInt.of(Math.toIntExact(most.getAsLong() * granule)) : OptionalInt.empty();
    }

    private OptionalLong duration(ClusterSchedule schedule, long now) {
        long least = leastDuration(schedule.cluster().rating());
        return terms.moldability().isPresent()
                ? OptionalLong.empty()
                : nearest(
                        schedule,
                        now,
                        terms.duration(),
                        least,
                        seconds -> terms.rigid(seconds, terms.pes()),
                        _ -> least);
    }

    /** The seconds on a standard PE that leave a second for each step on PEs of that rating. */
    private long leastDuration(BigDecimal rating) {
        int steps = terms.preemption().map(Preemption::steps).orElse(1);
        return BigDecimal.valueOf(steps - 1L).multiply(rating).longValue() + 1;
    }

    /**
     * The figure nearest to {@code refused} that is admitted, by halves between that and {@code likely}; empty if not even
     * the latter is.
     *
     * @param needed the figure that a place would have done with
     */
    private OptionalLong nearest(
            ClusterSchedule schedule,
            long now,
            long refused,
            long likely,
            LongFunction<RequestedTerms> with,
            ToLongFunction<JugglingResult.Found> needed) {
        var trials = new Trials(serviceClass, now, MAX_SEARCHES);
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

    /** The nearest that is admitted of those that are tried from the first that has a place on; empty if even the farthest is not. */
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
