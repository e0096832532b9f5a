package berth.scheduling;

/** Something to be decided on a cluster's schedule. */
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
                TellEnforcement,
                SubmitJob,
                CompleteJob,
                CancelJob,
                ReplaceJobs,
                PullForward,
                StartJobs,
                AdvanceClock {

    /**
     * Decides the command. Pure: same schedule, command and time give the same decision, and nothing changes.
     *
     * @param now seconds since the epoch, not before the time of any earlier decision that {@code schedule} contains;
     *     what fell due by then has been decided before any other command, see {@link AdvanceClock}
     */
    Decision decide(ClusterSchedule schedule, long now);

    /**
     * About how many looks at what is live it may take to decide it, as a search for one shape in one piece takes one for each
     * reservation: some 0.3 µs each. Nobody is moved for it; what that takes comes on top.
     */
    default long looks(ClusterSchedule schedule, long now) {
        return 0;
    }

    /** Decides the command as all others lie: nobody is moved for it. Otherwise as {@link #decide}. */
    default Decision decideAsOthersLie(ClusterSchedule schedule, long now) {
        return switch (decide(schedule.whereNobodyMoves(), now)) {
            case Decision.Accepted(var events, var next) ->
                new Decision.Accepted(events, next.ruledAs(schedule.cluster()));
            case Decision.Rejected rejected -> rejected;
        };
    }
}
