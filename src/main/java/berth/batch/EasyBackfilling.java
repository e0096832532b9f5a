package berth.batch;

import berth.availability.CapacityProfile;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plans of a batch queue at one time: first come, first served with EASY backfilling around reservations (paper 001,
 * section 2; EASY is its reference 10). Whenever PEs come free, the first job of the queue starts if it can, and so on; the
 * earliest place is <em>kept</em> for the next one, the head; the others start in their order, each if it fits there and then
 * throughout its estimate, beside the kept place and all reservations. So no job that is backfilled delays the first one's start.
 *
 * <p>That is what a schedule does with its jobs as time passes, computed without doing it, if every job runs as long as estimated
 * and nothing else comes. What is taken beside the jobs is known from the beginning, so a kept place is searched for once.
 *
 * <p>PEs are counted and not told apart. Where which PEs a run gets is settled ahead, a plan is thus an expectation: with
 * as many free, but not the same throughout, a job may start later.
 *
 * <p>A plan of n jobs takes O(n (log n + p)) where p points of the profile and running jobs lie ahead at one time; see
 * {@link UnplannedJobs} for what a search may take at worst. A value.
 */
public final class EasyBackfilling {

    private final WaitingJobs waiting;
    private final FreePesAhead free;

    /** All jobs as they are planned with nothing else: P^ORG of paper 001, section 4.2. */
    private final Plan original;

    private EasyBackfilling(WaitingJobs waiting, FreePesAhead free, Plan original) {
        this.waiting = waiting;
        this.free = free;
        this.original = original;
    }

    /**
     * The plans of a queue.
     *
     * @param free beside running jobs, reservations and outages; the waiting jobs have nothing of it
     * @param now seconds since the epoch
     */
    public static EasyBackfilling of(CapacityProfile free, Jobs jobs, long now) {
        var waiting = WaitingJobs.of(jobs);
        var ahead = FreePesAhead.of(free, now);
        return new EasyBackfilling(waiting, ahead, new Planning(waiting, ahead, List.of()).run());
    }

    /** Whether {@link #original()} still holds then, if the queue and all else are as they were: nothing starts or changes before. */
    public boolean holdAt(long now) {
        return now == free.now() || now > free.now() && now < free.nextChange() && now <= original.earliest();
    }

    /** The plans at a later second at which the original one {@linkplain #holdAt still holds}. */
    public EasyBackfilling at(long now) {
        return now == free.now() ? this : new EasyBackfilling(waiting, free.at(now), original);
    }

    /** The plan as it stands: P^ORG of paper 001, section 4.2. */
    public Plan original() {
        return original;
    }

    /** When the last job ends by it, be it one that runs already; now, if none does. From then on no reservation delays any. */
    public long end() {
        return Math.max(free.now(), original.end());
    }

    /** When the waiting jobs run by it that have a planned start. */
    public List<Slot> slots() {
        return IntStream.range(0, original.size())
                .filter(job -> original.start(job).isPresent())
                .mapToObj(job -> Slot.of(original.start(job).getAsLong(), waiting.estimates()[job]))
                .toList();
    }

    /**
     * The plan if these were taken by a reservation: P^RSV. The reservation itself does not count in its figures. Where it begins
     * once all jobs have ended, that is the original one.
     *
     * @param placeholder which are free, and not in the kept place; the first part begins first
     */
    public Plan beside(List<Part> placeholder) {
        return placeholder.getFirst().slot().start() >= end()
                ? original
                : new Planning(waiting, free, placeholder).run();
    }

    /**
     * The plan if one more job came: P^JOB. Its start is the last one of the plan; it does not count in the figures.
     *
     * @param estimate seconds, at least 1
     */
    public Plan with(int pes, long estimate) {
        return new Planning(waiting.and(pes, estimate), free, List.of()).run();
    }
}
