package berth.scheduling.commands;

import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.sla.Part;
import java.util.List;

/** A command that a cluster's schedule decides. */
public sealed interface Command
        permits Reserve,
                ReserveAt,
                BookSeries,
                Collect,
                Admit,
                TurnDown,
                Withdraw,
                WaitForRoom,
                GrantWaiting,
                Confirm,
                Approve,
                Decline,
                Fix,
                Degrade,
                Claim,
                ChangeUsers,
                Transfer,
                Complete,
                Cancel,
                Renegotiate,
                Extend,
                ExtendRuns,
                Propose,
                AcceptProposal,
                DeclineProposal,
                ChangeCluster,
                ChangeSignal,
                RecordOutage,
                EndOutage,
                ReplaceOutages,
                ReplaceLostPes,
                TellEnforcement,
                SubmitJob,
                CompleteJob,
                CancelJob,
                ReplaceJobs,
                PullForward,
                FollowPrices,
                StartJobs,
                AdvanceClock {

    /**
     * Decides the command. It has no side effects: the same basis and command give the same decision.
     *
     * @param basis the schedule and the other facts; everything due by its time must have been decided before, see {@link AdvanceClock}
     */
    Decision decide(Basis basis);

    /**
     * Returns an estimate of the cost of the decision, in looks at live reservations of about 0.3 µs each. A search for one shape in one
     * part takes one look for each reservation. Moving other reservations costs extra.
     */
    default long looks(ClusterSchedule schedule, long now) {
        return 0;
    }

    /** Returns the command for that place or none; the same command if it does not search for a place. */
    default Command at(List<Part> place) {
        return this;
    }

    /** Decides the command without moving other reservations; otherwise as {@link #decide}. */
    default Decision decideAsOthersLie(Basis basis) {
        return switch (decide(basis.on(basis.schedule().whereNobodyMoves()))) {
            case Decision.Accepted(var events, var next) ->
                new Decision.Accepted(events, next.ruledAs(basis.schedule().cluster()));
            case Decision.Rejected rejected -> rejected;
        };
    }
}
