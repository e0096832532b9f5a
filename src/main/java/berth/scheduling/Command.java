package berth.scheduling;

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
                Fix,
                Degrade,
                Claim,
                ChangeUsers,
                Complete,
                Cancel,
                Renegotiate,
                Extend,
                ExtendRuns,
                Propose,
                AcceptProposal,
                DeclineProposal,
                ChangeCluster,
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
                StartJobs,
                AdvanceClock {

    /**
     * Decides the command. It has no side effects: the same schedule, command and time give the same decision.
     *
     * @param now seconds since the epoch, not before the time of any decision in {@code schedule}; everything due by then must have been
     *     decided before, see {@link AdvanceClock}
     */
    Decision decide(ClusterSchedule schedule, long now);

    /**
     * Returns an estimate of the cost of the decision, in looks at live reservations of about 0.3 µs each. A search for one shape in one
     * part takes one look for each reservation. Moving other reservations costs extra.
     */
    default long looks(ClusterSchedule schedule, long now) {
        return 0;
    }

    /** Decides the command without moving other reservations; otherwise as {@link #decide}. */
    default Decision decideAsOthersLie(ClusterSchedule schedule, long now) {
        return switch (decide(schedule.whereNobodyMoves(), now)) {
            case Decision.Accepted(var events, var next) ->
                new Decision.Accepted(events, next.ruledAs(schedule.cluster()));
            case Decision.Rejected rejected -> rejected;
        };
    }
}
