package berth.persistence;

import berth.desk.StorageUnavailable;
import berth.reservation.ClusterId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * How far the journal of each cluster goes, and how far the tables for reading have followed it. Who reads them waits until they
 * have what had been recorded by then: so a client that was answered finds it. Safe to use from any thread.
 */
final class Progress {

    /**
     * A journal whose tables are behind.
     *
     * @param recorded the sequence of its last event
     * @param since when its tables came further last, or fell behind, by {@link System#nanoTime}
     */
    private record Lag(long recorded, long since) {}

    private final Map<ClusterId, Lag> lags = new HashMap<>();

    /** The sequences up to which the tables go. */
    private final Map<ClusterId, Long> projected = new HashMap<>();

    /** How many wait for the tables. */
    private int waiting;

    /** How often it was doubted what the tables have. */
    private long doubts;

    /** How often tables have come further. */
    private long steps;

    /** The journal of a cluster goes that far. */
    synchronized void recorded(ClusterId cluster, long sequence) {
        if (sequence > projected(cluster)) {
            lags.merge(
                    cluster,
                    new Lag(sequence, System.nanoTime()),
                    (lag, next) -> new Lag(Math.max(lag.recorded, next.recorded), lag.since));
            notifyAll();
        }
    }

    /**
     * What the tables had may be lost: nobody waits until it is on a disk, and the server is another one by now, or has crashed. Whoever
     * reads them waits until it is known how far they go.
     */
    synchronized void doubt() {
        long now = System.nanoTime();
        projected.forEach((cluster, position) -> lags.merge(
                cluster,
                new Lag(position, now),
                (lag, had) -> new Lag(Math.max(lag.recorded, had.recorded), lag.since)));
        projected.clear();
        doubts++;
        notifyAll();
    }

    /** How often there was such a doubt. */
    synchronized long doubts() {
        return doubts;
    }

    /**
     * The tables of a cluster go that far.
     *
     * @param doubtsBefore how many doubts there were before they were taken there: what was written before the last one says nothing
     */
    synchronized void projected(ClusterId cluster, long sequence, long doubtsBefore) {
        if (doubtsBefore != doubts) {
            return;
        }
        projected.merge(cluster, sequence, Math::max);
        lags.computeIfPresent(
                cluster, (_, lag) -> lag.recorded <= sequence ? null : new Lag(lag.recorded, System.nanoTime()));
        steps++;
        notifyAll();
    }

    /** Waits until tables have come further than when {@code seen} was answered, or until patience is over; for the next call. */
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

    /** The longest time for which tables that are behind have not come any further; zero while none are. */
    synchronized Duration stuckFor() {
        long now = System.nanoTime();
        return Duration.ofNanos(
                lags.values().stream().mapToLong(lag -> now - lag.since).max().orElse(0));
    }

    /** Events that are recorded and not in the tables yet, of all clusters. */
    synchronized long behind() {
        return lags.entrySet().stream()
                .mapToLong(lag -> lag.getValue().recorded - projected(lag.getKey()))
                .sum();
    }

    /**
     * Waits until there are clusters whose tables are behind, and then for more of them, so that much is written at once; answers
     * which they are. As soon as somebody waits for the tables it waits no longer.
     *
     * @param gathering how long it waits for more
     */
    synchronized Set<ClusterId> awaitWork(Duration gathering) throws InterruptedException {
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
     * Waits until the tables have what is recorded by now.
     *
     * @throws StorageUnavailable if they have not in time
     */
    synchronized void awaitProjected(Duration patience) {
        if (!lags.isEmpty()) {
            var wanted = Map.copyOf(lags);
            await(
                    patience,
                    () -> wanted.entrySet().stream()
                            .allMatch(lag -> projected(lag.getKey()) >= lag.getValue().recorded));
        }
    }

    /**
     * Waits until the tables of all clusters are at most so many events behind.
     *
     * @throws StorageUnavailable if they are not in time
     */
    synchronized void awaitRoom(long events, Duration patience) {
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
                    throw new StorageUnavailable(
                            new TimeoutException("The tables for reading are %d events behind.".formatted(behind())));
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
