package berth.workload;

import java.util.List;

/**
 * Batch jobs and requests for reservations on one machine.
 *
 * @param jobs in the order of their submission
 * @param requests in the order of their submission
 * @param refused what becomes of requests that are refused
 */
public record MixedWorkload(List<QueuedJob> jobs, List<ReservationRequest> requests, Refused refused) {

    /** What becomes of a request that is refused. */
    public enum Refused {
        /** It is gone. */
        GONE,
        /** It is submitted as a job at once. */
        QUEUED
    }

    public MixedWorkload {
        jobs = List.copyOf(jobs);
        requests = List.copyOf(requests);
    }

    /** Those whose refused requests are gone. */
    public MixedWorkload(List<QueuedJob> jobs, List<ReservationRequest> requests) {
        this(jobs, requests, Refused.GONE);
    }

    /** The same, of whose refused requests that becomes. */
    public MixedWorkload with(Refused fate) {
        return new MixedWorkload(jobs, requests, fate);
    }

    /** The jobs alone. */
    public MixedWorkload withoutRequests() {
        return new MixedWorkload(jobs, List.of(), refused);
    }

    /** With jobs that take that many PEs at the most, while requests stay as they are: paper 001, section 5.4. */
    public MixedWorkload withJobsOnAtMost(int pes) {
        return new MixedWorkload(jobs.stream().map(job -> job.onAtMost(pes)).toList(), requests, refused);
    }
}
