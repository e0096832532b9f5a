package berth.batch;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job of a cluster's batch queue (paper 001, section 2). Berth promises no time to it.
 *
 * @param owner the account
 * @param name the owner's label, or the name of the job in its external batch system
 * @param pes the number of PEs it needs at once, at least 1
 * @param estimate the longest run time, in seconds on this cluster, at least 1 (j_eet)
 * @param submittedAt seconds since the epoch (j_sbt)
 * @param rank the position in the queue, lowest first; running jobs keep their rank
 * @param source the system that starts and ends the job
 * @param state the state
 * @param run when and where the job runs or ran; empty before it begins
 * @param endedAt when it ended, in seconds since the epoch; present if and only if it has ended
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
     * The time and PEs of a running job.
     *
     * @param start when the job started, in seconds since the epoch (j_stt)
     * @param taken when the PEs are taken: from the start to the end of the estimate. For a job of an external batch system it begins with
     *     the report to Berth, ends at the latest when reservations need the PEs, and is longer if the estimate is already over
     * @param peIds the PEs
     */
    public record Run(long start, Slot taken, PeSet peIds) {

        /** Returns a run that begins now and lasts as long as the estimate allows. */
        public static Run of(Slot slot, PeSet peIds) {
            return new Run(slot.start(), slot, peIds);
        }

        /** Returns the latest time at which the job returns its PEs, in seconds since the epoch. */
        public long until() {
            return taken.end();
        }
    }

    /** @throws IllegalArgumentException if a size is not positive, or the run does not match the state */
    public BatchJob {
        if (pes < 1 || estimate < 1) {
            throw new IllegalArgumentException(
                    "A job needs positive PEs and a positive estimate, but has %d PEs and %d s."
                            .formatted(pes, estimate));
        }
        if (state == JobState.QUEUED && run.isPresent()
                || state == JobState.RUNNING && run.isEmpty()
                || state.isLive() == endedAt.isPresent()) {
            throw new IllegalArgumentException(
                    "A job in state %s cannot have the run %s and the end %s.".formatted(state, run, endedAt));
        }
    }

    /** Creates a waiting job. */
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

    /** Returns the job after it has started on these PEs. */
    public BatchJob running(Run there) {
        return with(JobState.RUNNING, Optional.of(there), OptionalLong.empty());
    }

    /** Returns the job after it has lost its PEs: it waits again, with its old rank. */
    public BatchJob requeued() {
        return with(JobState.QUEUED, Optional.empty(), OptionalLong.empty());
    }

    /** Returns the job after it has ended or was cancelled. */
    public BatchJob ended(JobState how, long at) {
        return with(how, run, OptionalLong.of(at));
    }

    private BatchJob with(JobState next, Optional<Run> there, OptionalLong end) {
        return new BatchJob(id, cluster, owner, name, pes, estimate, submittedAt, rank, source, next, there, end);
    }

    /** Returns the slot and PEs that the job takes while it runs. */
    public Part part() {
        var there = run.orElseThrow();
        return new Part(there.taken(), pes, Optional.of(there.peIds()), 1);
    }
}
