package berth.scheduling;

import berth.approval.Approval.Ask;
import berth.approval.Side;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.budget.Funds.Shortage;
import berth.cluster.OutageId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.List;

/** The reason why a command was rejected. */
public sealed interface Rejection {

    /** Returns the code that programs read and under which refusals are counted. */
    default RefusalCode code() {
        return switch (this) {
            case InvalidTerms _ -> RefusalCode.INVALID_TERMS;
            case NeverFits _ -> RefusalCode.NEVER_FITS;
            case NoSlot _, TooBusy _, Closed _, Retired _, BookedAhead _ -> RefusalCode.NO_SLOT;
            case OverBudget _ -> RefusalCode.OVER_BUDGET;
            case LimitExceeded _ -> RefusalCode.LIMIT_EXCEEDED;
            case BudgetExceeded _ -> RefusalCode.BUDGET_EXCEEDED;
            case FilingClosed _, MayNotApprove _ -> RefusalCode.FORBIDDEN;
            case NeedsApproval _ -> RefusalCode.NEEDS_APPROVAL;
            case WrongState _, NotLive _, OutageOver _, InUse _, NotAtRest _, ProposalOpen _, ProposalOver _ ->
                RefusalCode.WRONG_STATE;
            case JobNotLive _, WrongJobState _, OtherSource _ -> RefusalCode.WRONG_STATE;
            case StaleVersion _ -> RefusalCode.STALE_VERSION;
            case TooFewOccurrences(int _, int _, var first) -> first.code();
        };
    }

    /** Whether other reservations or batch jobs have the requested PEs, so that another request may be granted. */
    default boolean lacksRoom() {
        return switch (this) {
            case NoSlot _, TooBusy _, BookedAhead _, OverBudget _ -> true;
            default -> false;
        };
    }

    /** The request contradicts itself, the clock or the cluster's rules. */
    record InvalidTerms(List<Violation> violations) implements Rejection {

        public static InvalidTerms of(String field, String message) {
            return new InvalidTerms(List.of(new Violation(field, message)));
        }
    }

    /** The cluster could never hold the run, so waiting would not help. */
    record NeverFits(Violation violation) implements Rejection {}

    /** The cluster is too busy in the window, or at the chosen start. */
    record NoSlot() implements Rejection {}

    /**
     * There is room, but the reservation would delay batch jobs too much: paper 001, section 4.
     *
     * @param availability the availability of the best examined slot, or of the chosen start, in [0, 1]
     * @param least the lowest availability with which the cluster grants a slot, in [0, 1]; if it is 0, the availability must be above it
     */
    record TooBusy(double availability, BigDecimal least) implements Rejection {}

    /** The cluster takes no new reservations at present. */
    record Closed() implements Rejection {}

    /** The cluster is out of use. */
    record Retired() implements Rejection {}

    /**
     * The cluster takes no more runs ahead at present, only runs that start at once: paper 002's ARM.
     *
     * @param ahead the number of runs booked ahead
     * @param runs the number of all runs, including batch jobs
     * @param share the share of runs that may be booked ahead
     */
    record BookedAhead(int ahead, int runs, BigDecimal share) implements Rejection {}

    /** There is room, but nowhere in the window within the budget; {@code price} is that of the first fit. */
    record OverBudget(Money price, Money budget) implements Rejection {}

    /** The account would exceed a limit, which the violation names. */
    record LimitExceeded(Violation violation) implements Rejection {}

    /** The project must keep to its budget and would exceed it. */
    record BudgetExceeded(Shortage shortage) implements Rejection {}

    /** The account may not file under the project, so nothing that it has there may come to cost more. */
    record FilingClosed(String project, AccountName account) implements Rejection {}

    /**
     * A person must approve it first, which it cannot wait for: its start is now, or it is a change of a reservation or a part of several.
     *
     * @param asked the sides that must approve
     */
    record NeedsApproval(List<Ask> asked) implements Rejection {

        public NeedsApproval {
            asked = List.copyOf(asked);
        }
    }

    /** The account may not approve for any of the sides that have not answered. */
    record MayNotApprove(List<Side> open) implements Rejection {}

    /** The state of the reservation does not allow the command. */
    record WrongState(ReservationState state) implements Rejection {}

    /** No live reservation on this cluster has that id. */
    record NotLive(ReservationId reservation) implements Rejection {}

    /** The owner has not yet answered an earlier proposal, which expires at {@code expiresAt}, in seconds since the epoch. */
    record ProposalOpen(int number, long expiresAt) implements Rejection {}

    /** The proposal was answered, was withdrawn, has expired, or never existed. */
    record ProposalOver(int number) implements Rejection {}

    /** The outage is already over. */
    record OutageOver(OutageId outage) implements Rejection {}

    /**
     * The field of the cluster cannot change while something is reserved or, for the binding, while there is a reservation, an outage or a
     * batch job.
     */
    record InUse(String field) implements Rejection {}

    /**
     * The cluster cannot be retired yet.
     *
     * @param reservations the number of live reservations
     * @param requests the number of requests that wait for their round or for room
     * @param jobs the number of batch jobs
     * @param outages the number of outages that have not begun
     */
    record NotAtRest(int reservations, int requests, int jobs, int outages) implements Rejection {

        /** Returns what a cluster has now; all numbers are 0 if it can be retired. */
        public static NotAtRest of(ClusterSchedule schedule) {
            return new NotAtRest(
                    schedule.reservations().size(),
                    schedule.requests().size() + schedule.waiting().size(),
                    schedule.jobs().size(),
                    (int) schedule.outages().stream()
                            .filter(outage -> outage.beginsAt().isPresent())
                            .count());
        }

        public boolean isNothing() {
            return reservations + requests + jobs + outages == 0;
        }
    }

    /** No batch job with that id runs or waits on this cluster. */
    record JobNotLive(JobId job) implements Rejection {}

    /** The state of the job does not allow the command. */
    record WrongJobState(JobState state) implements Rejection {}

    /**
     * The command does not apply to jobs of that source: Berth does not change an external batch system's jobs, and an external system does
     * not change Berth's.
     */
    record OtherSource(JobSource source) implements Rejection {}

    /**
     * Too few occurrences of a series could be granted.
     *
     * @param granted the number that could be granted
     * @param atLeast the required number
     * @param first the reason of the first refusal
     */
    record TooFewOccurrences(int granted, int atLeast, Rejection first) implements Rejection {}

    /** The caller expected another version than the present one. */
    record StaleVersion(int present) implements Rejection {}
}
