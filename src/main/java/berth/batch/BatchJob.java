package berth.batch;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job of a cluster's batch queue: paper 001, section 2. It is never promised a time.
 *
 * @param owner the account
 * @param name the owner's label; of a job of an outside batch system, its name there
 * @param pes PEs it needs at once, at least 1
 * @param estimate how long it runs at the most, in seconds of this cluster, at least 1 (j_eet)
 * @param submittedAt seconds since the epoch (j_sbt)
 * @param rank where it stands in the queue: the lowest comes first, also while it runs
 * @param source who starts and ends it
 * @param state where it stands
 * @param run when and where it runs or ran; empty: it has not begun
 * @param endedAt when it ended, seconds since the epoch; present exactly once it has
 */
public record BatchJob(
        JobId id,
        ClusterId cluster,
        AccountName owner,
        Optional<String> name,
        int pes,
        long estimate,
        long submittedAt,
        long rank,
        JobSource source,
        JobState state,
        Optional<Run> run,
        OptionalLong endedAt) {

    /**
     * The PEs that a job has.
     *
     * @param start since when it runs, seconds since the epoch (j_stt)
     * @param taken when they are taken: from its start to the end of its estimate. Of a job of an outside batch system from
     *     when Berth was told of it, and no longer than until reservations need the PEs; longer where its estimate is over
     *     already
     * @param peIds which
     */
    public record Run(long start, Slot taken, PeSet peIds) {

        /** It begins now, and takes as long as it may. */
        public static Run of(Slot slot, PeSet peIds) {
            return new Run(slot.start(), slot, peIds);
        }

        /** When it gives its PEs back at the latest, seconds since the epoch. */
        public long until() {
            return taken.end();
        }
    }

    /** @throws IllegalArgumentException if its size is not positive, or its run does not go with its state */
    public BatchJob {
        if (pes < 1 || estimate < 1) {
            throw new IllegalArgumentException("A job of %d PEs and %d s is none.".formatted(pes, estimate));
        }
        if (state == JobState.QUEUED && run.isPresent()
                || state == JobState.RUNNING && run.isEmpty()
                || state.isLive() == endedAt.isPresent()) {
            throw new IllegalArgumentException(
                    "A job that is %s has no such run (%s) or end (%s).".formatted(state, run, endedAt));
        }
    }

    /** A job that waits. */
    public static BatchJob queued(
            JobId id,
            ClusterId cluster,
            AccountName owner,
            Optional<String> name,
            int pes,
            long estimate,
            long submittedAt,
            long rank,
            JobSource source) {
        return new BatchJob(
                id,
                cluster,
                owner,
                name,
                pes,
                estimate,
                submittedAt,
                rank,
                source,
                JobState.QUEUED,
                Optional.empty(),
                OptionalLong.empty());
    }

    /** It has these PEs. */
    public BatchJob running(Run there) {
        return with(JobState.RUNNING, Optional.of(there), OptionalLong.empty());
    }

    /** It has lost its PEs and waits again, with its old rank in the queue. */
    public BatchJob requeued() {
        return with(JobState.QUEUED, Optional.empty(), OptionalLong.empty());
    }

    /** It is over, or was given up. */
    public BatchJob ended(JobState how, long at) {
        return with(how, run, OptionalLong.of(at));
    }

    private BatchJob with(JobState next, Optional<Run> there, OptionalLong end) {
        return new BatchJob(id, cluster, owner, name, pes, estimate, submittedAt, rank, source, next, there, end);
    }

    /** What it takes while it runs. */
    public Part part() {
        var there = run.orElseThrow();
        return new Part(there.taken(), pes, Optional.of(there.peIds()), 1);
    }
}
