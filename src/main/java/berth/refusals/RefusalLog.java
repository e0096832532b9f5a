package berth.refusals;

import berth.runtime.FailureStreak;
import berth.runtime.PeriodicCheck;
import berth.runtime.Threads;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records refused requests in a thread of its own, some at a time, so that no refusal waits for the database. What cannot be recorded is
 * lost and counted. Thread-safe.
 */
public final class RefusalLog implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);

    /** The most refused requests that wait to be recorded. */
    static final int MAX = 2000;

    /** The most of one account, so that the refused requests of one do not displace those of others. */
    static final int MAX_OF_ACCOUNT = 500;

    /** How long refused requests are gathered before they are recorded. */
    private static final Duration GATHERING = Duration.ofMillis(250);

    private static final Duration LONGEST_REST = Duration.ofHours(1);

    /** How long the end of the service waits for the last ones to be recorded. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Threads threads;
    private final ToIntFunction<List<RefusedRequest>> table;
    private final Thread thread;
    private final BlockingQueue<Boolean> calls = new ArrayBlockingQueue<>(1);
    private final FailureStreak streak = new FailureStreak(
            log, "Refused requests could not be recorded and are lost; Berth goes on with later ones.");
    private final Counter recorded;
    private final Counter tooMany;
    private final Counter unrecorded;
    private final Counter removed;
    private volatile boolean isClosed;

    private List<RefusedRequest> waiting = new ArrayList<>();
    private final Map<AccountName, Integer> ofAccounts = new HashMap<>();

    /**
     * Creates the log and starts its thread.
     *
     * @param table records refused requests, and returns how many older ones it removed because an account had too many
     */
    public RefusalLog(ToIntFunction<List<RefusedRequest>> table, Threads threads, MeterRegistry registry) {
        this.table = table;
        this.threads = threads;
        this.recorded = Counter.builder("berth.refusals.recorded")
                .description("Refused requests that were recorded for `GET /refusals`.")
                .register(registry);
        this.tooMany = dropped("too-many", registry);
        this.unrecorded = dropped("database", registry);
        this.removed = dropped("account", registry);
        this.thread = threads.lasting("refusals", this::work);
        thread.start();
    }

    private static Counter dropped(String why, MeterRegistry registry) {
        return Counter.builder("berth.refusals.dropped")
                .description(
                        "Refused requests that `GET /refusals` does not show: too many came at a time (`too-many`), the database did"
                                + " not record them (`database`), or their account had newer ones (`account`).")
                .tag("why", why)
                .register(registry);
    }

    /** Takes a refused request, which is recorded soon. Returns at once and never fails. */
    public void record(RefusedRequest refused) {
        if (isTaken(refused)) {
            var unused = calls.offer(true);
        } else {
            tooMany.increment();
        }
    }

    private synchronized boolean isTaken(RefusedRequest refused) {
        if (waiting.size() >= MAX || ofAccounts.getOrDefault(refused.account(), 0) >= MAX_OF_ACCOUNT) {
            return false;
        }
        ofAccounts.merge(refused.account(), 1, Integer::sum);
        return waiting.add(refused);
    }

    private synchronized List<RefusedRequest> taken() {
        var taken = waiting;
        waiting = new ArrayList<>();
        ofAccounts.clear();
        return taken;
    }

    private void work() {
        try {
            while (!isClosed) {
                if (threads.poll(calls, LONGEST_REST) != null && !isClosed) {
                    PeriodicCheck.sleep(threads, GATHERING);
                }
                write();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // those that came since the last write
        write();
    }

    private void write() {
        var taken = taken();
        if (taken.isEmpty()) {
            return;
        }
        try {
            removed.increment(table.applyAsInt(taken));
            recorded.increment(taken.size());
            streak.ended();
        } catch (RuntimeException e) {
            unrecorded.increment(taken.size());
            streak.failed(e);
        }
    }

    /** Records what waits, and ends the thread. */
    @Override
    public void close() {
        isClosed = true;
        var unused = calls.offer(true);
        threads.awaitEnd(List.of(thread), PATIENCE);
    }
}
