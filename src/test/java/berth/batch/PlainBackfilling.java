package berth.batch;

import berth.availability.CapacityProfile;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The oracle for {@link EasyBackfilling}, a literal version of paper 001, section 2, steps 1 and 3. It goes through every second, keeps the
 * earliest place for the first job and tries all others.
 */
final class PlainBackfilling {

    private CapacityProfile free;
    private final List<BatchJob> queue;
    private final Map<JobId, Long> starts = new HashMap<>();

    private PlainBackfilling(CapacityProfile free, List<BatchJob> queue) {
        this.free = free;
        this.queue = new ArrayList<>(queue);
    }

    /** Returns the start of each job that has one before {@code until}. */
    static Map<JobId, Long> starts(CapacityProfile free, List<BatchJob> queue, long now, long until) {
        var plain = new PlainBackfilling(free, queue);
        for (long second = now; second < until; second++) {
            plain.decide(second);
        }
        return plain.starts;
    }

    private void decide(long second) {
        while (!queue.isEmpty() && fits(free, queue.getFirst(), second)) {
            start(queue.getFirst(), second);
        }
        if (queue.isEmpty()) {
            return;
        }
        var head = queue.getFirst();
        var kept = earliest(head, second);
        for (var job : List.copyOf(queue.subList(1, queue.size()))) {
            var beside = kept.isPresent() ? free.take(Slot.of(kept.getAsLong(), head.estimate()), head.pes()) : free;
            if (fits(beside, job, second)) {
                start(job, second);
            }
        }
    }

    private OptionalLong earliest(BatchJob head, long second) {
        return free.earliestFit(new Window(second, Long.MAX_VALUE), head.estimate(), head.pes());
    }

    private static boolean fits(CapacityProfile profile, BatchJob job, long second) {
        return profile.fewestFree(Slot.of(second, job.estimate())) >= job.pes();
    }

    private void start(BatchJob job, long second) {
        free = free.take(Slot.of(second, job.estimate()), job.pes());
        queue.remove(job);
        starts.put(job.id(), second);
    }
}
