package berth.desk;

import berth.desk.Ledger.Batch;
import berth.desk.Ledger.Outcome;
import berth.desk.Ledger.Standing;
import berth.scheduling.AdvanceClock;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a cluster. It takes commands in the order in which they come, decides all that wait at one reading
 * of the clock, records the events in one transaction, and only then makes the next schedule current and answers. What
 * falls due by the clock goes the same way, before the commands.
 *
 * <p>A batch that could not be recorded leaves the schedule as it was, and everybody in it hears so, the refused ones
 * too: they may have been refused for the sake of one that was not recorded. When the outcome of a commit is unknown the
 * desk does nothing else until the ledger has told it.
 */
final class Desk {

    /** The most commands decided at once, and the most clock events recorded at once. */
    private static final int MAX_BATCH = 512;

    private static final int MAX_QUEUE = 20_000;
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(Desk.class);

    private final String cluster;
    private final Ledger ledger;
    private final InstantSource clock;
    private final Duration patience;
    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(MAX_QUEUE);
    private final Thread writer;

    /** The last applied schedule: what readers see. */
    private volatile ClusterSchedule current;

    private volatile Optional<String> closed = Optional.empty();

    // known to the writer alone
    private long epoch;
    private long sequence;
    private long now;

    Desk(Ledger.Recovered recovered, Ledger ledger, InstantSource clock, Duration patience) {
        this.cluster = recovered.cluster().id();
        this.ledger = ledger;
        this.clock = clock;
        this.patience = patience;
        this.current = ClusterSchedule.of(recovered.cluster(), recovered.live());
        this.epoch = recovered.epoch();
        this.sequence = recovered.sequence();
        this.writer = Thread.ofPlatform().daemon().name("desk-" + cluster).unstarted(this::work);
    }

    void open() {
        writer.start();
    }

    ClusterSchedule schedule() {
        return current;
    }

    /** Why the desk takes no more commands; empty while it does. */
    Optional<String> closed() {
        return closed;
    }

    /** Hands in a command. */
    Pending submit(Command command, Optional<KeyUse> key) {
        var pending = new Pending(command, key);
        if (closed.isPresent()) {
            pending.answer().complete(new Answer.Unavailable(closed.get()));
        } else if (!queue.offer(pending)) {
            pending.answer()
                    .complete(new Answer.Unavailable(
                            "Too many requests wait for cluster %s. Nothing has changed; try again later."
                                    .formatted(cluster)));
        } else if (closed.isPresent()) {
            refuseWaiting(closed.get());
        }
        return pending;
    }

    /** Takes no more commands, finishes what is under way, and refuses what still waits. */
    void close() {
        closeBecause("The service is shutting down. Nothing has changed; try again once it is back.");
        writer.interrupt();
        try {
            writer.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeBecause(String reason) {
        closed = Optional.of(reason);
        refuseWaiting(reason);
    }

    private void refuseWaiting(String reason) {
        var waiting = new ArrayList<Pending>();
        queue.drainTo(waiting);
        waiting.forEach(pending -> pending.answer().complete(new Answer.Unavailable(reason)));
    }

    private void work() {
        try {
            while (closed.isEmpty()) {
                workOff(nextBatch());
            }
        } catch (InterruptedException e) {
            // the desk is being closed
        } catch (Error e) {
            log.error("Cluster {}: the desk has failed.", cluster, e);
            closeBecause("The desk of cluster %s has failed; the service must be restarted.".formatted(cluster));
        }
    }

    private void workOff(List<Pending> batch) throws InterruptedException {
        try {
            now = Math.max(now, clock.instant().getEpochSecond());
            catchUp();
            decideAndCommit(batch);
        } catch (RuntimeException e) {
            log.error("Cluster {}: a batch failed; the desk goes on from the last applied schedule.", cluster, e);
            batch.forEach(pending -> pending.answer().completeExceptionally(e));
        }
    }

    /** Waits for a command or for something to fall due; empty if it was the latter. */
    private List<Pending> nextBatch() throws InterruptedException {
        var batch = new ArrayList<Pending>();
        var first = queue.poll(millisToNextDue(), TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            queue.drainTo(batch, MAX_BATCH - 1);
        }
        batch.removeIf(pending -> !pending.claim());
        return batch;
    }

    /** At most a second, so that a clock that was set forward is noticed. */
    private long millisToNextDue() {
        return current.nextDue()
                .map(due -> Math.clamp(due.at() * 1000 - clock.millis(), 0L, 1000L))
                .orElse(1000L);
    }

    /** Records in batches of their own whatever fell due beyond what one batch holds, as after a long downtime. */
    private void catchUp() throws InterruptedException {
        for (var due = advanceClock(); due.events().size() == MAX_BATCH; due = advanceClock()) {
            if (!record(new Draft(due.next(), due.events(), List.of()))) {
                Thread.sleep(RETRY);
            }
        }
    }

    private Decision.Accepted advanceClock() {
        return new AdvanceClock(MAX_BATCH).decide(current, now);
    }

    private void decideAndCommit(List<Pending> batch) throws InterruptedException {
        var due = advanceClock();
        var draft = new Draft(due.next(), due.events(), batch);
        draft.decide(now, sequence);
        if (draft.events().isEmpty()) {
            draft.answer();
        } else if (!record(draft) && batch.isEmpty()) {
            Thread.sleep(RETRY);
        }
    }

    /** Answers whether the draft is durable; if so, it is the current schedule now. */
    private boolean record(Draft draft) throws InterruptedException {
        var batch = new Batch(cluster, epoch, sequence, draft.events(), draft.keys());
        return switch (ledger.append(batch)) {
            case Outcome.Committed() -> applied(draft, batch);
            case Outcome.Failed(var cause) -> {
                log.warn(
                        "Cluster {}: {} events were not recorded.",
                        cluster,
                        batch.events().size(),
                        cause);
                yield notRecorded(draft);
            }
            case Outcome.Fenced() -> fenced(draft);
            case Outcome.Unknown(var cause) -> {
                log.warn("Cluster {}: the outcome of a commit is unknown, reading it back.", cluster, cause);
                yield settled(draft, batch);
            }
        };
    }

    private boolean settled(Draft draft, Batch batch) throws InterruptedException {
        var standing = standing(draft);
        if (!(standing instanceof Standing.Writer(long newEpoch, long recorded))) {
            return fenced(draft);
        }
        epoch = newEpoch;
        if (recorded == batch.lastSequence()) {
            log.info("Cluster {}: the commit had succeeded.", cluster);
            return applied(draft, batch);
        }
        if (recorded == batch.sequence()) {
            log.info("Cluster {}: the commit had failed.", cluster);
            return notRecorded(draft);
        }
        return fenced(draft);
    }

    private Standing standing(Draft draft) throws InterruptedException {
        while (true) {
            try {
                return ledger.settle(cluster, epoch);
            } catch (RuntimeException e) {
                log.warn("Cluster {}: the database does not answer, trying again: {}", cluster, e.getMessage());
            }
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                draft.answerAll(new Answer.Unavailable("The service is shutting down and the outcome is not known."
                        + " Repeat the request with the same Idempotency-Key once it is back."));
                throw e;
            }
        }
    }

    private boolean applied(Draft draft, Batch batch) {
        sequence = batch.lastSequence();
        current = draft.schedule();
        draft.answer();
        return true;
    }

    private static boolean notRecorded(Draft draft) {
        draft.answerAll(
                new Answer.Unavailable("The decision could not be recorded, so nothing has changed; try again later."));
        return false;
    }

    private boolean fenced(Draft draft) {
        var reason = "Another process has taken over cluster %s; this one must be restarted.".formatted(cluster);
        log.error(reason);
        draft.answerAll(new Answer.Unavailable(reason));
        closeBecause(reason);
        return false;
    }
}
