package berth.database;

import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * How far the journal of each cluster goes, and how far the tables for reading have followed it. Readers wait until the tables have
 * everything that was recorded when they asked, so a client always finds what it was told. Thread-safe.
 */
public final class ProjectionProgress {

    /**
     * A journal whose tables are behind.
     *
     * @param recorded the sequence of its last event
     * @param since when its tables last progressed or fell behind, by {@link System#nanoTime}
     */
    private record Lag(long recorded, long since) {}

    private final Map<ClusterId, Lag> lags = new HashMap<>();

    /** The sequences up to which the tables go. */
    private final Map<ClusterId, Long> projected = new HashMap<>();

    /** The number of readers that wait for the tables. */
    private int waiting;

    /** How often the content of the tables became uncertain. */
    private long resets;

    /** How often tables have progressed. */
    private long steps;

    /** Notes that the journal of a cluster goes up to that sequence. */
    public synchronized void recorded(ClusterId cluster, long sequence) {
        if (sequence > projected(cluster)) {
            lags.merge(
                    cluster,
                    new Lag(sequence, System.nanoTime()),
                    (lag, next) -> new Lag(Math.max(lag.recorded, next.recorded), lag.since));
            notifyAll();
        }
    }

    /**
     * Notes that the tables may have lost rows, because their commits do not wait for the disk and the server was replaced or has crashed.
     * Readers wait until the position of the tables is known again.
     */
    public synchronized void reset() {
        long now = System.nanoTime();
        projected.forEach((cluster, position) -> lags.merge(
                cluster,
                new Lag(position, now),
                (lag, had) -> new Lag(Math.max(lag.recorded, had.recorded), lag.since)));
        projected.clear();
        resets++;
        notifyAll();
    }

    /** Returns how often the content of the tables became uncertain. */
    public synchronized long resets() {
        return resets;
    }

    /**
     * Notes that the tables of a cluster go up to that sequence.
     *
     * @param resetsBefore the number of resets before these rows were written; rows written before the last reset are ignored
     */
    public synchronized void projected(ClusterId cluster, long sequence, long resetsBefore) {
        if (resetsBefore != resets) {
            return;
        }
        projected.merge(cluster, sequence, Math::max);
        lags.computeIfPresent(
                cluster, (_, lag) -> lag.recorded <= sequence ? null : new Lag(lag.recorded, System.nanoTime()));
        steps++;
        notifyAll();
    }

    /**
     * Waits until tables have progressed since {@code seen} was returned, or until patience is over; returns a number for the next call.
     */
    synchronized long awaitStep(long seen, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (long left = patience.toMillis();
                left > 0 && steps == seen;
                left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return steps;
    }

    private long projected(ClusterId cluster) {
        return projected.getOrDefault(cluster, 0L);
    }

    /** Returns the longest time for which tables that are behind have not progressed; zero if none are behind. */
    public synchronized Duration stuckFor() {
        long now = System.nanoTime();
        return Duration.ofNanos(
                lags.values().stream().mapToLong(lag -> now - lag.since).max().orElse(0));
    }

    /** Returns how many recorded events are missing in the tables of all clusters. */
    public synchronized long behind() {
        return lags.entrySet().stream()
                .mapToLong(lag -> lag.getValue().recorded - projected(lag.getKey()))
                .sum();
    }

    /**
     * Waits until the tables of some clusters are behind, and then for more of them so that one write covers many; returns these clusters.
     * It stops waiting as soon as a reader waits for the tables.
     *
     * @param gathering how long it waits for more
     */
    public synchronized Set<ClusterId> awaitWork(Duration gathering) throws InterruptedException {
        while (lags.isEmpty()) {
            wait();
        }
        long deadline = System.nanoTime() + gathering.toNanos();
        for (long left = gathering.toMillis();
                left > 0 && waiting == 0;
                left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return Set.copyOf(lags.keySet());
    }

    /**
     * Waits until the tables have everything that is recorded by now.
     *
     * @throws StorageUnavailable if they do not in time
     */
    public synchronized void awaitProjected(Duration patience) {
        if (!lags.isEmpty()) {
            var wanted = Map.copyOf(lags);
            await(
                    patience,
                    () -> wanted.entrySet().stream()
                            .allMatch(lag -> projected(lag.getKey()) >= lag.getValue().recorded));
        }
    }

    /**
     * Waits until the tables of all clusters are at most {@code events} events behind.
     *
     * @throws StorageUnavailable if they are not in time
     */
    public synchronized void awaitRoom(long events, Duration patience) {
        if (!lags.isEmpty()) {
            await(patience, () -> behind() <= events);
        }
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Duration patience, Condition condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        waiting++;
        notifyAll();
        try {
            while (!condition.holds()) {
                long left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
                if (left <= 0) {
                    throw new StorageUnavailable(new TimeoutException(
                            "The tables for reading are %d events behind the journal.".formatted(behind())));
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageUnavailable(e);
        } finally {
            waiting--;
        }
    }
}
