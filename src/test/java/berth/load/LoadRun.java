package berth.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Makes one kind of call until the run is over. A fixed number of workers take the arrivals in order. Each worker takes its next arrival
 * when its last call is answered, and waits until the new one is due.
 *
 * <p>If all workers wait for answers, the next calls are made late, but their times still count from when they were due. A service that
 * stalls is thus charged for every client that would have called in the meantime, not only for the calls in progress (no coordinated
 * omission).
 */
final class LoadRun {
    private final String name;
    private final Arrivals arrivals;
    private final Supplier<CallResult> call;
    private final Phases phases;
    private final long start;
    private final CallFigures warmUp = new CallFigures();
    private final CallFigures measured = new CallFigures();

    /**
     * Creates a run that has not begun.
     *
     * @param name name of the kind of call, for the table of figures
     * @param start start of the run, by {@link System#nanoTime}
     */
    LoadRun(String name, Arrivals arrivals, Supplier<CallResult> call, Phases phases, long start) {
        this.name = name;
        this.arrivals = arrivals;
        this.call = call;
        this.phases = phases;
        this.start = start;
    }

    String name() {
        return name;
    }

    CallFigures warmUp() {
        return warmUp;
    }

    CallFigures measured() {
        return measured;
    }

    /** Starts the workers. The run is over when all returned futures are done. */
    List<Future<?>> begin(ExecutorService threads, int workers) {
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            work.add(threads.submit(this::work));
        }
        return work;
    }

    private void work() {
        while (true) {
            long free = now();
            var next = arrivals.next(free);
            if (next.isEmpty()) {
                return;
            }
            long due = next.getAsLong();
            CallFigures figures = due < phases.warm() ? warmUp : measured;
            if (free >= phases.end()) {
                figures.countNeverMade(due, phases.end());
            } else {
                waitUntil(due);
                long made = now();
                CallResult answer = call.get();
                figures.count(answer, due, free, made, now());
            }
        }
    }

    private void waitUntil(long due) {
        for (long left = due - now(); left > 0; left = due - now()) {
            LockSupport.parkNanos(left);
        }
    }

    private long now() {
        return System.nanoTime() - start;
    }
}
