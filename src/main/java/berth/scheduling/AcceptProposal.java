package berth.scheduling;

import berth.reservation.Proposal;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Money;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The owner accepts what the provider offers. The run is placed as after any renegotiation, and costs no more than was
 * agreed for what it takes, less the incentive; if there is no room for it any more, all stays as it was.
 *
 * @param target whose terms
 * @param number which proposal
 * @param allowance how much the account may book
 */
public record AcceptProposal(Target target, int number, Allowance allowance) implements Command {

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        return switch (Lookup.of(schedule, target, EnumSet.of(ReservationState.CONFIRMED))) {
            case Lookup.Missing(var reason) -> new Decision.Rejected(reason);
            case Lookup.Found(var reservation) ->
                open(reservation, number, now)
                        .map(proposal -> Renegotiate.accepted(target, reservation, proposal, allowance, now)
                                .decide(schedule, now))
                        .orElseGet(() -> new Decision.Rejected(new Rejection.ProposalOver(number)));
        };
    }

    /**
     * The proposal that a reservation has, if it can still be accepted.
     *
     * @param schedule the last one that was applied: what the reservation has come to
     */
    public static Optional<Proposal> open(ClusterSchedule schedule, Reservation reservation, long now) {
        return reservation
                .proposal()
                .filter(proposal -> schedule.find(reservation.id())
                        .flatMap(present -> open(present, proposal.number(), now))
                        .isPresent());
    }

    /**
     * What a reservation owes once a proposal is accepted that is {@linkplain #open open}, if the run stays where it is; empty if
     * it would be placed anew. O(log n) in a schedule of n.
     */
    public static Optional<Money> priceInPlace(
            ClusterSchedule schedule, Reservation reservation, Proposal proposal, long now) {
        var target = new Target(reservation.id(), OptionalInt.empty());
        return schedule.find(reservation.id())
                .flatMap(present -> Renegotiate.accepted(target, present, proposal, Allowance.UNLIMITED, now)
                        .priceInPlace(schedule, present, now));
    }

    /** The proposal of that number, if it can be answered. */
    static Optional<Proposal> open(Reservation reservation, int number, long now) {
        return reservation.proposal().filter(proposal -> proposal.number() == number && proposal.isOpen(now));
    }
}
