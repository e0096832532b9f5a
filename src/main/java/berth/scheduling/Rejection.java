package berth.scheduling;

import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.budget.Funds.Shortage;
import berth.cluster.OutageId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.List;

/** Why a command was refused. */
public sealed interface Rejection {

    /** What is told to programs of it, under which refusals are counted, too. */
    default RefusalCode code() {
        return switch (this) {
            case InvalidTerms _ -> RefusalCode.INVALID_TERMS;
            case NeverFits _ -> RefusalCode.NEVER_FITS;
            case NoSlot _, TooBusy _, Closed _, BookedAhead _ -> RefusalCode.NO_SLOT;
            case OverBudget _ -> RefusalCode.OVER_BUDGET;
            case LimitExceeded _ -> RefusalCode.LIMIT_EXCEEDED;
            case BudgetExceeded _ -> RefusalCode.BUDGET_EXCEEDED;
            case WrongState _, NotLive _, OutageOver _, InUse _, ProposalOpen _, ProposalOver _ ->
                RefusalCode.WRONG_STATE;
            case JobNotLive _, WrongJobState _, OtherSource _ -> RefusalCode.WRONG_STATE;
            case StaleVersion _ -> RefusalCode.STALE_VERSION;
            case TooFewOccurrences(int _, int _, var first) -> first.code();
        };
    }

    /** Whether others, reservations or batch jobs, have what was asked for, so that another request may be granted. */
    default boolean lacksRoom() {
        return switch (this) {
            case NoSlot _, TooBusy _, BookedAhead _, OverBudget _ -> true;
            default -> false;
        };
    }

    /** The request contradicts itself, the clock or the cluster's rules. */
    record InvalidTerms(List<Violation> violations) implements Rejection {

        static InvalidTerms of(String field, String message) {
            return new InvalidTerms(List.of(new Violation(field, message)));
        }
    }

    /** The cluster could never hold this: waiting would not help. */
    record NeverFits(Violation violation) implements Rejection {}

    /** The cluster is too busy in the window, or at the chosen start. */
    record NoSlot() implements Rejection {}

    /**
     * There is room, but it would delay the batch jobs too much: paper 001, section 4.
     *
     * @param availability of the best slot that was looked at, or of the chosen start, in [0, 1]
     * @param least from which on the cluster grants one, in [0, 1]; if that is 0, what is above it
     */
    record TooBusy(double availability, BigDecimal least) implements Rejection {}

    /** The cluster takes nothing new at the moment. */
    record Closed() implements Rejection {}

    /**
     * The cluster books no more runs ahead at the moment, but takes those that begin at once: paper 002's ARM.
     *
     * @param ahead how many lie ahead
     * @param runs how many there are in all, batch jobs included
     * @param share of them that may
     */
    record BookedAhead(int ahead, int runs, BigDecimal share) implements Rejection {}

    /** There is room, but nowhere in the window at a price within the budget; {@code price} is that of the first fit. */
    record OverBudget(Money price, Money budget) implements Rejection {}

    /** The account would have more booked than it may; the violation names the limit. */
    record LimitExceeded(Violation violation) implements Rejection {}

    /** The project that it is filed under must keep to its budget, and would spend more than is there. */
    record BudgetExceeded(Shortage shortage) implements Rejection {}

    /** The reservation is in a state that does not allow this. */
    record WrongState(ReservationState state) implements Rejection {}

    /** No reservation of that id is live on this cluster. */
    record NotLive(ReservationId reservation) implements Rejection {}

    /** The owner has a proposal that is not answered yet, which expires then, seconds since the epoch. */
    record ProposalOpen(int number, long expiresAt) implements Rejection {}

    /** That proposal is answered or withdrawn, or was never made, or it has expired. */
    record ProposalOver(int number) implements Rejection {}

    /** The PEs of that outage are back already. */
    record OutageOver(OutageId outage) implements Rejection {}

    /** This field of a cluster cannot change while anything is reserved, or for the binding of PEs, out of service. */
    record InUse(String field) implements Rejection {}

    /** No batch job of that id runs or waits on this cluster. */
    record JobNotLive(JobId job) implements Rejection {}

    /** The job is in a state that does not allow this. */
    record WrongJobState(JobState state) implements Rejection {}

    /** The jobs of the cluster come from the other side: an outside batch system's are not Berth's to change, nor the reverse. */
    record OtherSource(JobSource source) implements Rejection {}

    /**
     * Fewer occurrences of a series could be booked than were to be.
     *
     * @param granted how many could be
     * @param atLeast how many were to be
     * @param first why the first of the others could not
     */
    record TooFewOccurrences(int granted, int atLeast, Rejection first) implements Rejection {}

    /** The change was meant for another version than the present one. */
    record StaleVersion(int present) implements Rejection {}
}
