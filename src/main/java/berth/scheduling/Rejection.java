package berth.scheduling;

import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.Violation;
import java.util.List;

/** Why a command was refused. */
public sealed interface Rejection {

    /** The request contradicts itself, the clock or the cluster's rules. */
    record InvalidTerms(List<Violation> violations) implements Rejection {}

    /** More PEs than the cluster has: waiting would not help. */
    record NeverFits(int asked, int clusterPes) implements Rejection {}

    /** The cluster is too busy in the window, or at the chosen start. */
    record NoSlot() implements Rejection {}

    /** There is room, but nowhere in the window at a price within the budget; {@code price} is that of the first fit. */
    record OverBudget(Money price, Money budget) implements Rejection {}

    /** The reservation is in a state that does not allow this. */
    record WrongState(ReservationState state) implements Rejection {}

    /** No reservation of that id is live on this cluster. */
    record NotLive(ReservationId reservation) implements Rejection {}
}
