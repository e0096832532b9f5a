package berth.scheduling.commands;

import berth.outcome.Outcome;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Lookup;
import berth.scheduling.Rejection;
import berth.scheduling.Target;
import berth.sla.Money;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The owner accepts a proposal. The run gets a place as after any renegotiation. It costs at most the agreed price for what it takes, minus
 * the incentive. If there is no room for it, nothing changes.
 *
 * @param target the reservation
 * @param number the number of the proposal
 */
public record AcceptProposal(Target target, int number) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED))) {
            case Outcome.NotDone(var reason) -> new Decision.Rejected(reason);
            case Outcome.Done(var reservation) ->
                open(reservation, number, now)
                        .map(proposal -> Renegotiate.accepted(target, reservation, proposal, now)
                                .decide(basis))
                        .orElseGet(() -> new Decision.Rejected(new Rejection.ProposalOver(number)));
        };
    }

    /**
     * Returns the proposal of a reservation that can still be accepted; empty if there is none.
     *
     * @param schedule the last applied schedule, which holds the present version of the reservation
     */
    public static Optional<Proposal> open(ClusterSchedule schedule, Reservation reservation, long now) {
        return reservation
                .proposal()
                .filter(proposal -> schedule.find(reservation.id())
                        .flatMap(present -> open(present, proposal.number(), now))
                        .isPresent());
    }

    /**
     * Returns the price after an {@linkplain #open open} proposal is accepted, if the run stays in its place; empty if it would have to
     * move. O(log n) for n reservations.
     */
    public static Optional<Money> priceInPlace(
            ClusterSchedule schedule, Reservation reservation, Proposal proposal, long now) {
        var target = new Target(reservation.id(), OptionalInt.empty());
        return schedule.find(reservation.id())
                .flatMap(present ->
                        Renegotiate.accepted(target, present, proposal, now).priceInPlace(schedule, present, now));
    }

    /** Returns the proposal with that number, if it can still be answered. */
    static Optional<Proposal> open(Reservation reservation, int number, long now) {
        return reservation.proposal().filter(proposal -> proposal.number() == number && proposal.isOpen(now));
    }
}
