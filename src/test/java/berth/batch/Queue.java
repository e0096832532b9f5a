package berth.batch;

import berth.availability.CapacityProfile;
import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

/** A queue of batch jobs at second 0, written by hand or drawn. */
public final class Queue {

    private final int pes;
    private CapacityProfile free;
    private Jobs jobs = Jobs.NONE;
    private int number;

    private Queue(int pes) {
        this.pes = pes;
        this.free = CapacityProfile.of(pes);
    }

    public static Queue on(int pes) {
        return new Queue(pes);
    }

    /** Draws a queue of up to {@code most} waiting jobs with some running jobs and reservations; sometimes PEs are never free. */
    public static Queue drawn(int pes, int most, Random random) {
        var queue = on(pes);
        if (random.nextInt(5) == 0) {
            queue.taken(random.nextInt(20), Long.MAX_VALUE, 1);
        }
        int running = random.nextInt(4);
        for (int job = 0; job < running; job++) {
            int size = 1 + random.nextInt(pes);
            long until = 1 + random.nextInt(15);
            if (queue.isFree(0, until, size)) {
                queue.running(size, until, -random.nextInt(30));
            }
        }
        int reservations = random.nextInt(6);
        for (int reservation = 0; reservation < reservations; reservation++) {
            long start = random.nextInt(60);
            long end = start + 1 + random.nextInt(12);
            int size = 1 + random.nextInt(pes);
            if (queue.isFree(start, end, size)) {
                queue.taken(start, end, size);
            }
        }
        int waiting = random.nextInt(most + 1);
        for (int job = 0; job < waiting; job++) {
            queue.waiting(1 + random.nextInt(pes), 1 + random.nextInt(12), -random.nextInt(50));
        }
        return queue;
    }

    private boolean isFree(long start, long end, int size) {
        return free.fewestFree(new Slot(start, end)) >= size;
    }

    /** Takes PEs for a reservation or an outage. */
    public Queue taken(long start, long end, int size) {
        free = free.take(new Slot(start, end), size);
        return this;
    }

    public Queue running(int size, long until, long submittedAt) {
        free = free.take(new Slot(0, until), size);
        int lowest = jobs.running().stream().mapToInt(BatchJob::pes).sum();
        var run = BatchJob.Run.of(new Slot(0, until), PeSet.range(lowest, lowest + size));
        return adding(next(size, until, submittedAt).running(run));
    }

    public Queue waiting(int size, long estimate) {
        return waiting(size, estimate, 0);
    }

    public Queue waiting(int size, long estimate, long submittedAt) {
        return adding(next(size, estimate, submittedAt));
    }

    private Queue adding(BatchJob job) {
        jobs = jobs.with(job);
        return this;
    }

    private BatchJob next(int size, long estimate, long submittedAt) {
        return job(number++, size, estimate, submittedAt);
    }

    /** Returns a waiting job whose number determines its id and its rank. */
    public static BatchJob job(int number, int size, long estimate, long submittedAt) {
        return new BatchJob(
                new JobId(new UUID(3, number)),
                new ClusterId("sp2"),
                new AccountName("ada"),
                Optional.empty(),
                size,
                estimate,
                submittedAt,
                number,
                JobSource.BERTH,
                JobState.QUEUED,
                Optional.empty(),
                OptionalLong.empty());
    }

    public int pes() {
        return pes;
    }

    public CapacityProfile free() {
        return free;
    }

    public Jobs jobs() {
        return jobs;
    }

    public EasyBackfilling plans() {
        return EasyBackfilling.of(free, jobs, 0);
    }

    /** Returns the planned starts, beginning with the first job; -1 for a job without a start. */
    static List<Long> starts(Plan plan) {
        var starts = new ArrayList<Long>();
        for (int job = 0; job < plan.size(); job++) {
            starts.add(plan.start(job).orElse(-1));
        }
        return starts;
    }
}
