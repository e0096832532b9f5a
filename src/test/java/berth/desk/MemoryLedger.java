package berth.desk;

import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Cluster;
import berth.time.Slot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A ledger in memory that keeps the contract, and fails as a test wants it to. */
final class MemoryLedger implements Ledger, Records {

    /** What happens to the next commit. */
    enum Fault {
        /** It succeeds. */
        NONE,
        /** It fails, and says so. */
        FAILS,
        /** It succeeds, but the answer is lost. */
        ANSWER_LOST,
        /** It fails, and the answer is lost. */
        FAILS_AND_ANSWER_LOST
    }

    final List<Batch> recorded = new ArrayList<>();
    final Deque<Fault> faults = new ArrayDeque<>();

    /** What the next commit throws, against all agreements. */
    @Nullable
    Error crash;

    /** How often the next questions after an unknown outcome fail. */
    volatile int settleFailures;

    /** Commits wait here if a test takes the permits away. */
    final Semaphore open = new Semaphore(1);

    private final Cluster cluster;
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();
    private final Map<String, FirstResult> keys = new HashMap<>();
    private long epoch;
    private long sequence;
    private boolean isReplaced;

    /** As if another process had taken the cluster over. */
    synchronized void takeOverByAnother() {
        isReplaced = true;
        epoch++;
    }

    MemoryLedger(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public synchronized List<Cluster> clusters() {
        return List.of(cluster);
    }

    @Override
    public boolean create(Cluster created, Optional<KeyUse> key) {
        throw new AssertionError("no test needs this");
    }

    @Override
    public synchronized Recovered takeOver(String id) {
        epoch++;
        isReplaced = false;
        return new Recovered(
                cluster,
                epoch,
                sequence,
                recorded.isEmpty() ? 0 : history().getLast().at(),
                reservations.values().stream()
                        .filter(reservation -> reservation.state().isLive())
                        .toList());
    }

    @Override
    public Outcome append(Batch batch) {
        open.acquireUninterruptibly();
        try {
            synchronized (this) {
                return appended(batch);
            }
        } finally {
            open.release();
        }
    }

    private Outcome appended(Batch batch) {
        if (batch.epoch() != epoch || batch.sequence() != sequence) {
            return new Outcome.Fenced();
        }
        if (crash != null) {
            throw crash;
        }
        var fault = faults.isEmpty() ? Fault.NONE : faults.poll();
        if (fault == Fault.FAILS) {
            return new Outcome.Failed(new IllegalStateException("as the test wants it"));
        }
        if (fault != Fault.FAILS_AND_ANSWER_LOST) {
            record(batch);
        }
        return fault == Fault.NONE
                ? new Outcome.Committed()
                : new Outcome.Unknown(new IllegalStateException("as the test wants it"));
    }

    private void record(Batch batch) {
        recorded.add(batch);
        sequence = batch.lastSequence();
        batch.events().forEach(event -> reservations.put(event.reservation().id(), event.reservation()));
        batch.keys()
                .forEach(key -> keys.put(
                        key.use().account() + " " + key.use().key(),
                        new FirstResult(
                                key.use().fingerprint(), Optional.of(history().get((int) key.sequence() - 1)))));
    }

    @Override
    public synchronized Standing settle(String id) {
        if (settleFailures > 0) {
            settleFailures--;
            throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
        }
        return isReplaced ? new Standing.Fenced() : new Standing.Writer(++epoch, sequence);
    }

    /** All events, in order. */
    synchronized List<Event> history() {
        return recorded.stream().flatMap(batch -> batch.events().stream()).toList();
    }

    @Override
    public synchronized Optional<FirstResult> firstResult(String account, String key) {
        return Optional.ofNullable(keys.get(account + " " + key));
    }

    @Override
    public synchronized Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(reservations.get(id));
    }

    @Override
    public List<Reservation> list(Optional<String> owner, Optional<ReservationId> olderThan, int limit) {
        throw new AssertionError("no desk needs this");
    }

    @Override
    public List<RecordedEvent> events(ReservationId reservation, long after, int limit) {
        throw new AssertionError("no desk needs this");
    }

    @Override
    public List<RecordedEvent> events(Map<String, Long> positions, int limit) {
        throw new AssertionError("no desk needs this");
    }

    @Override
    public List<Reservation> occupying(String id, Slot range) {
        throw new AssertionError("no desk needs this");
    }
}
