package berth.lab.workload;

import java.util.List;

/**
 * Batch jobs and requests for reservations on one machine.
 *
 * @param jobs the jobs in the order of submission
 * @param requests the requests in the order of submission
 * @param refused what happens to refused requests
 */
public record MixedWorkload(List<QueuedJob> jobs, List<ReservationRequest> requests, Refused refused) {

    /** The treatment of a refused request. */
    public enum Refused {
        /** It is dropped. */
        GONE,
        /** It is submitted as a job at once. */
        QUEUED
    }

    public MixedWorkload {
        jobs = List.copyOf(jobs);
        requests = List.copyOf(requests);
    }

    /** Creates a workload whose refused requests are dropped. */
    public MixedWorkload(List<QueuedJob> jobs, List<ReservationRequest> requests) {
        this(jobs, requests, Refused.GONE);
    }

    /** Returns the same workload with another treatment of refused requests. */
    public MixedWorkload with(Refused fate) {
        return new MixedWorkload(jobs, requests, fate);
    }

    /** Returns only the jobs. */
    public MixedWorkload withoutRequests() {
        return new MixedWorkload(jobs, List.of(), refused);
    }

    /** Returns the same requests, with jobs limited to that many PEs: paper 001, section 5.4. */
    public MixedWorkload withJobsOnAtMost(int pes) {
        return new MixedWorkload(jobs.stream().map(job -> job.onAtMost(pes)).toList(), requests, refused);
    }
}
