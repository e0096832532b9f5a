package berth.scheduling.commands;

import static berth.scheduling.Rejection.InvalidTerms;

import berth.cluster.Policy;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Lookup;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The owner wants a longer run: the longest possible extension up to {@code by}. It is a renegotiation of the duration, and of the deadline
 * if the run would end after it (paper 000, section 2.1). The owner need not try different lengths. Other reservations may move for the
 * whole of {@code by} or for {@code atLeast}; between the two, the command takes the longest extension for which none moves.
 *
 * @param target the reservation, with one shape and one part
 * @param by the wanted extension, in seconds on this cluster, at least 1 and at most ten years
 * @param atLeast the shortest useful extension in seconds, at least 1 and at most {@code by}
 * @param account the account that wants the extension, if it is not the owner
 */
public record Extend(Target target, long by, long atLeast, Optional<AccountName> account) implements Command {

    /** Creates the command for a wish of the owner. */
    public Extend(Target target, long by, long atLeast) {
        this(target, by, atLeast, Optional.empty());
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        if (by < 1 || by > Policy.MAX_HORIZON) {
            return new Decision.Rejected(InvalidTerms.of("by", "must be longer than zero, and at most ten years"));
        }
        if (atLeast < 1 || by < atLeast) {
            return new Decision.Rejected(
                    InvalidTerms.of("atLeast", "must be longer than zero and at most as long as by"));
        }
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED, ReservationState.RUNNING))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) ->
                isRigid(reservation.terms())
                        ? extended(basis, reservation)
                        : new Decision.Rejected(InvalidTerms.of(
                                "by",
                                "works only for a run in one shape and one piece; renegotiate the terms instead"));
        };
    }

    private static boolean isRigid(Terms terms) {
        return terms.moldability().isEmpty() && terms.preemption().isEmpty();
    }

    private Decision extended(Basis basis, Reservation before) {
        var rating = basis.schedule().cluster().rating();
        var terms = before.terms();
        // a duration is whole seconds on a standard PE, so fast or slow PEs cannot be extended by every number of
        // seconds
        long shortest = Math.max(atLeast, RequestedTerms.runTime(terms.duration() + 1, rating) - terms.runTime());
        if (shortest > by) {
            return new Decision.Rejected(new Rejection.NoSlot());
        }
        var all = longer(before, by, rating).decide(basis);
        if (all instanceof Decision.Accepted || by == shortest) {
            return all;
        }
        var least = longer(before, shortest, rating).decide(basis);
        return least instanceof Decision.Accepted accepted ? longest(basis, before, accepted, shortest) : least;
    }

    /** Returns the longest extension by bisection: a shorter run fits wherever a longer one does. */
    private Decision longest(Basis basis, Reservation before, Decision.Accepted least, long shortest) {
        Decision best = least;
        long fits = shortest;
        long tooLong = by;
        while (tooLong - fits > 1) {
            long middle = fits + (tooLong - fits) / 2;
            var decision =
                    longer(before, middle, basis.schedule().cluster().rating()).decideAsOthersLie(basis);
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
                target,
                RequestedTerms.of(terms).rigid(duration, terms.pes()).within(window),
                Optional.empty(),
                account);
    }
}
