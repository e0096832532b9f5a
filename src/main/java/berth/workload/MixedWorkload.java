package berth.workload;

import java.util.List;

/**
 * Batch jobs and requests for reservations on one machine.
 *
 * @param jobs in the order of their submission
 * @param requests in the order of their submission
 */
public record MixedWorkload(List<QueuedJob> jobs, List<ReservationRequest> requests) {

    public MixedWorkload {
        jobs = List.copyOf(jobs);
        requests = List.copyOf(requests);
    }

    /** The jobs alone. */
    public MixedWorkload withoutRequests() {
        return new MixedWorkload(jobs, List.of());
    }

    /** With jobs that take that many PEs at the most, while requests stay as they are: paper 001, section 5.4. */
    public MixedWorkload withJobsOnAtMost(int pes) {
        return new MixedWorkload(jobs.stream().map(job -> job.onAtMost(pes)).toList(), requests);
    }
}
