package berth.scheduling;

import berth.cluster.Juggling;
import berth.scheduling.PlaceSearch.Opening;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

/**
 * A question without effect: by how much must a request that is refused give way? Each of the answers holds with the other
 * terms as they were asked for. What is named would be admitted, as was tried; where the waiting queue is placed anew,
 * something nearer may be admitted, too, since more room for one can mean less for others: it is searched by halves, as long as that
 * may take.
 *
 * @param terms what was asked for
 * @param serviceClass how the account is classed
 */
public record WouldFit(RequestedTerms terms, ServiceClass serviceClass) {

    /** The places that may be searched for to find each of the answers. */
    private static final int MAX_PLACEMENTS = 1_000;

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
                deadline -> terms.within(new Window(ready, deadline)));
    }

    private OptionalInt pes(ClusterSchedule schedule, long now) {
        if (terms.moldability().isPresent()) {
            return OptionalInt.empty();
        }
        var most = nearest(schedule, now, terms.pes(), 1, pes -> terms.rigid(terms.duration(), Math.toIntExact(pes)));
        return most.isPresent() ? OptionalInt.of(Math.toIntExact(most.getAsLong())) : OptionalInt.empty();
    }

    private OptionalLong duration(ClusterSchedule schedule, long now) {
        long least = leastDuration(schedule.cluster().rating());
        return terms.moldability().isPresent()
                ? OptionalLong.empty()
                : nearest(schedule, now, terms.duration(), least, seconds -> terms.rigid(seconds, terms.pes()));
    }

    /** The seconds on a standard PE that leave a second for each step on PEs of that rating. */
    private long leastDuration(BigDecimal rating) {
        int steps = terms.preemption().map(Preemption::steps).orElse(1);
        return BigDecimal.valueOf(steps - 1L).multiply(rating).longValue() + 1;
    }

    /**
     * The figure nearest to {@code refused} that is admitted, by halves between that and {@code likely}; empty if not even
     * the latter is.
     */
    private OptionalLong nearest(
            ClusterSchedule schedule, long now, long refused, long likely, LongFunction<RequestedTerms> with) {
        var trials = new Trials(serviceClass, now, MAX_PLACEMENTS);
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
        return OptionalLong.of(
                mayMove
                        ? nearest(
                                refused,
                                beside,
                                trials,
                                figure -> trials.admitted(schedule, with.apply(figure))
                                        .isPresent())
                        : beside);
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
