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

    /** Sequences of the last events, by cluster: of those alone whose tables are not up to date. */
    private final Map<ClusterId, Long> recorded = new HashMap<>();

    private final Map<ClusterId, Long> projected = new HashMap<>();

    /** How many wait for the tables. */
    private int waiting;

    /** When tables that were behind came further last, or fell behind, by {@link System#nanoTime}. */
    private long moved;

    /** The journal of a cluster goes that far. */
    synchronized void recorded(ClusterId cluster, long sequence) {
        if (sequence > projected.getOrDefault(cluster, 0L)) {
            if (recorded.isEmpty()) {
                moved = System.nanoTime();
            }
            recorded.merge(cluster, sequence, Math::max);
            notifyAll();
        }
    }

    /** The tables of a cluster have followed so far. */
    synchronized void projected(ClusterId cluster, long sequence) {
        projected.merge(cluster, sequence, Math::max);
        if (recorded.getOrDefault(cluster, 0L) <= sequence) {
            recorded.remove(cluster);
        }
        moved = System.nanoTime();
        notifyAll();
    }

    /** For how long tables that are behind have not come any further; zero while none are. */
    synchronized Duration stuckFor() {
        return recorded.isEmpty() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - moved);
    }

    /** Events that are recorded and not in the tables yet, of all clusters. */
    synchronized long behind() {
        return recorded.entrySet().stream()
                .mapToLong(each -> each.getValue() - projected.getOrDefault(each.getKey(), 0L))
                .sum();
    }

    /**
     * Waits until there are clusters whose tables are behind, and then for more of them, so that much is written at once; answers
     * which they are. As soon as somebody waits for the tables it waits no longer.
     *
     * @param gathering how long it waits for more
     */
    synchronized Set<ClusterId> awaitWork(Duration gathering) throws InterruptedException {
        while (recorded.isEmpty()) {
            wait();
        }
        long deadline = System.nanoTime() + gathering.toNanos();
        for (long left = gathering.toMillis();
                left > 0 && waiting == 0;
                left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return Set.copyOf(recorded.keySet());
    }

    /**
     * Waits until the tables have what is recorded by now.
     *
     * @throws StorageUnavailable if they have not in time
     */
    synchronized void awaitProjected(Duration patience) {
        if (!recorded.isEmpty()) {
            var wanted = Map.copyOf(recorded);
            await(
                    patience,
                    () -> wanted.entrySet().stream()
                            .allMatch(each -> projected.getOrDefault(each.getKey(), 0L) >= each.getValue()));
        }
    }

    /**
     * Waits until the tables of all clusters are at most so many events behind.
     *
     * @throws StorageUnavailable if they are not in time
     */
    synchronized void awaitRoom(long events, Duration patience) {
        if (!recorded.isEmpty()) {
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
