package berth.scheduling;

import static berth.scheduling.Rejection.InvalidTerms;

import berth.cluster.Policy;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumSet;

/**
 * The owner wants a longer run: as much longer as it can be, up to what is wanted. That is a renegotiation of its duration, and of its
 * deadline where the run would end after it (paper 000, section 2.1); a user who needs more time need not find out by trial how much
 * there is. Others may move for all that is wanted or for the least that is of use; in between the longest is taken for which nobody moves.
 *
 * @param target which run; in one shape and one piece
 * @param by seconds of this cluster's time that are wanted, at least 1 and at most ten years
 * @param atLeast seconds that are of use, at least 1 and at most {@code by}
 * @param allowance how much the account may book
 */
public record Extend(Target target, long by, long atLeast, Allowance allowance) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (by < 1 || by > Policy.MAX_HORIZON) {
            return new Decision.Rejected(InvalidTerms.of("by", "must be longer than zero, and at most ten years"));
        }
        if (atLeast < 1 || by < atLeast) {
            return new Decision.Rejected(InvalidTerms.of("atLeast", "must be longer than zero, and at most by"));
        }
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Lookup.Missing(var reason) -> new Decision.Rejected(reason);
            case Lookup.Found(var reservation) ->
                isRigid(reservation.terms())
                        ? extended(schedule, reservation, now)
                        : new Decision.Rejected(InvalidTerms.of(
                                "by", "is for runs in one shape and one piece; renegotiate the terms of others"));
        };
    }

    private static boolean isRigid(Terms terms) {
        return terms.moldability().isEmpty() && terms.preemption().isEmpty();
    }

    private Decision extended(ClusterSchedule schedule, Reservation before, long now) {
        var rating = schedule.cluster().rating();
        var all = longer(before, by, rating).decide(schedule, now);
        if (all instanceof Decision.Accepted || by == atLeast) {
            return all;
        }
        var least = longer(before, atLeast, rating).decide(schedule, now);
        return least instanceof Decision.Accepted accepted ? longest(schedule, before, accepted, now) : least;
    }

    /** A run that is shorter fits wherever a longer one does. */
    private Decision longest(ClusterSchedule schedule, Reservation before, Decision.Accepted least, long now) {
        Decision best = least;
        long fits = atLeast;
        long tooLong = by;
        while (tooLong - fits > 1) {
            long middle = fits + (tooLong - fits) / 2;
            var decision = longer(before, middle, schedule.cluster().rating()).decideAsOthersLie(schedule, now);
            if (decision instanceof Decision.Accepted) {
                best = decision;
                fits = middle;
            } else {
                tooLong = middle;
            }
        }
        return best;
    }

    private Renegotiate longer(Reservation before, long seconds, BigDecimal rating) {
        var terms = before.terms();
        long duration = BigDecimal.valueOf(terms.runTime() + seconds)
                .multiply(rating)
                .setScale(0, RoundingMode.FLOOR)
                .longValueExact();
        var window = new Window(
                terms.window().readyTime(),
                Math.max(terms.window().deadline(), before.slot().end() + seconds));
        return new Renegotiate(
                target, RequestedTerms.of(terms).rigid(duration, terms.pes()).within(window), allowance);
    }
}
