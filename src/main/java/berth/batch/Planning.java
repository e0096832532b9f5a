package berth.batch;

import berth.sla.Part;
import java.util.Arrays;
import java.util.List;

/** The computation of one plan by the rules of {@link EasyBackfilling}. Not thread-safe. */
final class Planning {

    private final WaitingJobs waiting;
    private final FreePesAhead free;
    private final UnplannedJobs unplanned;
    private final LeastFree least = new LeastFree();
    private final long[] starts;

    /** The index of the first job without a start. */
    private int head;

    /** The start of the place that is kept for the head; never, if it fits nowhere. */
    private long keptStart;

    private long lastEnd;
    private long completion;
    private int counted;

    Planning(WaitingJobs waiting, FreePesAhead from, List<Part> placeholder) {
        this.waiting = waiting;
        this.free = from.copy(waiting.size() + placeholder.size());
        this.unplanned = waiting.unplanned().copy();
        this.starts = new long[waiting.size()];
        this.lastEnd = waiting.lastEnd();
        this.completion = waiting.completion();
        this.counted = waiting.running();
        Arrays.fill(starts, FreePesAhead.NEVER);
        for (var part : placeholder) {
            free.take(part.slot().start(), part.slot().end(), part.pes());
        }
    }

    Plan run() {
        startHeads();
        backfill();
        while (!unplanned.isEmpty() && free.nextChange() != FreePesAhead.NEVER) {
            boolean areMore = free.moveOn();
            if (free.now() == keptStart) {
                startHeads();
            }
            // a job that did not fit before can fit now only if PEs have become free
            if (areMore) {
                backfill();
            }
        }
        return new Plan(starts, lastEnd, completion, counted);
    }

    /** Starts jobs from the head of the queue while they fit and keeps the earliest place for the next one. */
    private void startHeads() {
        do {
            while (head < waiting.size() && !unplanned.contains(head)) {
                head++;
            }
            if (head == waiting.size()) {
                keptStart = FreePesAhead.NEVER;
                return;
            }
            keptStart = free.earliest(waiting.pes()[head], waiting.estimates()[head]);
            if (keptStart != FreePesAhead.NEVER) {
                start(head, keptStart);
            } else {
                unplanned.remove(head);
            }
        } while (keptStart == free.now());
    }

    /** Starts other jobs in order if they fit. */
    private void backfill() {
        int fewest = unplanned.fewestPes();
        int job = 0;
        while (free.free() >= fewest) {
            free.measure(least, fewest, waiting.longest());
            job = unplanned.nextThatFits(job, least);
            if (job == UnplannedJobs.NONE) {
                return;
            }
            start(job, free.now());
            fewest = unplanned.fewestPes();
            job++;
        }
    }

    private void start(int job, long start) {
        long end = Math.addExact(start, waiting.estimates()[job]);
        starts[job] = start;
        unplanned.remove(job);
        free.take(start, end, waiting.pes()[job]);
        if (job < waiting.counted()) {
            lastEnd = Math.max(lastEnd, end);
            completion += end - waiting.submitted()[job];
            counted++;
        }
    }
}
