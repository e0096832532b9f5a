package berth.batch;

import berth.availability.CapacityProfile;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plans of a batch queue at one time: first come, first served with EASY backfilling around reservations (paper 001, section 2; EASY is
 * its reference 10). Whenever PEs become free, the jobs at the head of the queue start in order while they fit. The first that does not
 * fit, the head, gets a <em>kept place</em>, which is its earliest possible place. The other jobs start in order if they fit now and
 * throughout their estimates, without touching the kept place or any reservation. A backfilled job therefore never delays the head.
 *
 * <p>A schedule does the same with its jobs as time passes. A plan computes the result in advance, assuming that every job runs as long as
 * estimated and that no new work arrives. Other allocations are known from the beginning, so a kept place is searched for once.
 *
 * <p>PEs are only counted. On a cluster that binds PEs early, a plan is thus an estimate: a job may start later because the free PEs change
 * during its run.
 *
 * <p>A plan of n jobs takes O(n (log n + p)), where p is the number of points of the profile and of running jobs ahead at one time; see
 * {@link UnplannedJobs} for the worst case of a search. Immutable.
 */
public final class EasyBackfilling {

    private final WaitingJobs waiting;
    private final FreePesAhead free;

    /** The plan of all jobs without anything else: P^ORG of paper 001, section 4.2. */
    private final Plan original;

    private EasyBackfilling(WaitingJobs waiting, FreePesAhead free, Plan original) {
        this.waiting = waiting;
        this.free = free;
        this.original = original;
    }

    /**
     * Computes the plans of a queue.
     *
     * @param free the PEs that running jobs, reservations and outages leave free; waiting jobs take none of them
     * @param now seconds since the epoch
     */
    public static EasyBackfilling of(CapacityProfile free, Jobs jobs, long now) {
        var waiting = WaitingJobs.of(jobs);
        var ahead = FreePesAhead.of(free, now);
        return new EasyBackfilling(waiting, ahead, new Planning(waiting, ahead, List.of()).run());
    }

    /**
     * Whether {@link #original()} is still valid at {@code now} if the queue and everything else are unchanged: nothing starts or changes
     * before then.
     */
    public boolean holdAt(long now) {
        return now == free.now() || now > free.now() && now < free.nextChange() && now <= original.earliest();
    }

    /** Returns the plans at a later second at which the original one {@linkplain #holdAt is still valid}. */
    public EasyBackfilling at(long now) {
        return now == free.now() ? this : new EasyBackfilling(waiting, free.at(now), original);
    }

    /** Returns the present plan: P^ORG of paper 001, section 4.2. */
    public Plan original() {
        return original;
    }

    /**
     * Returns when the last job ends in the present plan, including running jobs; now, if none ends. A reservation that begins at that time
     * or later delays no job.
     */
    public long end() {
        return Math.max(free.now(), original.end());
    }

    /** Returns the planned slots of the waiting jobs that have a planned start. */
    public List<Slot> slots() {
        return IntStream.range(0, original.size())
                .filter(job -> original.start(job).isPresent())
                .mapToObj(job -> Slot.of(original.start(job).getAsLong(), waiting.estimates()[job]))
                .toList();
    }

    /**
     * Returns the plan if a reservation took these parts: P^RSV. Its figures do not include the reservation. If the reservation begins
     * after all jobs have ended, this is the original plan.
     *
     * @param placeholder free parts outside the kept place; the first one begins first
     */
    public Plan beside(List<Part> placeholder) {
        return placeholder.getFirst().slot().start() >= end()
                ? original
                : new Planning(waiting, free, placeholder).run();
    }

    /**
     * Returns the plan if one more job arrived: P^JOB. Its last start is that of the additional job, which its figures do not include.
     *
     * @param estimate seconds, at least 1
     */
    public Plan with(int pes, long estimate) {
        return new Planning(waiting.and(pes, estimate), free, List.of()).run();
    }
}
