package berth.desk;

import berth.desk.Ledger.Batch;
import berth.desk.Ledger.Outcome;
import berth.desk.Ledger.Standing;
import berth.reservation.ClusterId;
import berth.scheduling.AdvanceClock;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import io.micrometer.core.instrument.MeterRegistry;
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
 * desk does nothing else until the ledger has told it. A desk that fails in any other way closes for good.
 *
 * <p>Time never goes back for a desk: where the clock does, it stands still until the clock has caught up.
 */
final class Desk {

    /** The most commands decided at once, and the most clock events recorded at once. */
    private static final int MAX_BATCH = 512;

    /** After so long a batch takes no further command, although others wait. */
    private static final Duration ENOUGH = Duration.ofMillis(500);

    private static final int MAX_QUEUE = 20_000;
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long CLOCK_TOLERANCE = 60;
    private static final Logger log = LoggerFactory.getLogger(Desk.class);

    private final ClusterId cluster;
    private final Ledger ledger;
    private final InstantSource clock;
    private final Duration patience;
    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(MAX_QUEUE);
    /** Since when it takes commands, in seconds since the epoch. */
    private final long heardSince;

    private final RefusalCounts refusals = new RefusalCounts();
    private final Thread writer;
    private final DeskMeters meters;

    /** The last applied schedule: what readers see. */
    private volatile ClusterSchedule current;

    private volatile Optional<String> closed = Optional.empty();

    private volatile boolean isRecording = true;

    // known to the writer alone
    private long epoch;
    private long sequence;
    private long now;
    private boolean clockIsBehind;

    Desk(Ledger.Recovered recovered, Ledger ledger, InstantSource clock, Duration patience, MeterRegistry registry) {
        this.cluster = recovered.cluster().id();
        this.ledger = ledger;
        this.clock = clock;
        this.patience = patience;
        this.current = ClusterSchedule.of(
                recovered.cluster(),
                recovered.live(),
                recovered.outages(),
                recovered.jobs(),
                recovered.requests(),
                recovered.lastEventAt());
        this.epoch = recovered.epoch();
        this.sequence = recovered.sequence();
        this.now = recovered.lastEventAt();
        this.heardSince = clock.instant().getEpochSecond();
        this.writer = Thread.ofPlatform().daemon().name("desk-" + cluster).unstarted(this::work);
        this.meters = new DeskMeters(registry, cluster);
        meters.watch(this, queue, clock);
    }

    /** Records how many requests were refused since this was last called. */
    void recordRefusals() {
        var counted = refusals.drain();
        if (counted.isEmpty()) {
            return;
        }
        try {
            ledger.countRefusals(cluster, counted);
        } catch (RuntimeException e) {
            refusals.restore(counted);
            throw e;
        }
    }

    void open() {
        writer.start();
    }

    ClusterSchedule schedule() {
        return current;
    }

    /** The schedule as it will be once all has happened that has fallen due: what a command would be decided on. */
    ClusterSchedule outlook(long time) {
        return new AdvanceClock(MAX_BATCH, heardSince).decide(current, time).next();
    }

    /** Counts a command that was refused on a snapshot: it will not come to the desk. */
    void count(Command command, Rejection reason, long time) {
        meters.count(command, new Answer.Refused(reason));
        if (command instanceof Reserve) {
            refusals.add(List.of(reason.code()), time);
        }
    }

    /** Why the desk takes no more commands; empty while it does. */
    Optional<String> closed() {
        return closed;
    }

    /** Whether the desk takes commands and could record what it decided last. */
    boolean isHealthy() {
        return closed.isEmpty() && isRecording;
    }

    /** Hands in a command. */
    Pending submit(Command command, Optional<KeyUse> key) {
        return submit(new Pending(command, key));
    }

    /** Hands in a command. */
    Pending submit(Pending pending) {
        meters.count(pending);
        if (closed.isPresent()) {
            pending.drop(closed.get());
        } else if (!queue.offer(pending)) {
            pending.drop("Too many requests wait for cluster %s; try again later.".formatted(cluster));
        } else if (closed.isPresent()) {
            dropWaiting(closed.get());
        }
        return pending;
    }

    /** Takes no more commands and refuses what waits; what is under way may still be finished. */
    void close(String why) {
        if (closed.isEmpty()) {
            closed = Optional.of(why);
        }
        dropWaiting(why);
        writer.interrupt();
    }

    /** Waits for a desk that is being closed. */
    void awaitClosed() {
        try {
            writer.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void dropWaiting(String why) {
        var waiting = new ArrayList<Pending>();
        queue.drainTo(waiting);
        waiting.forEach(pending -> pending.drop(why));
    }

    private void work() {
        var waiting = new ArrayList<Pending>();
        try {
            while (closed.isEmpty()) {
                takeWaiting(waiting);
                int done = workOff(waiting);
                // who has no answer from a desk that is closed now hears so below
                if (closed.isEmpty()) {
                    waiting.subList(0, done).clear();
                }
            }
        } catch (InterruptedException e) {
            // the desk is being closed
        } catch (Throwable e) {
            // first of all: even the log may fail where memory is short
            close("The desk of this cluster has failed; the service must be restarted.");
            log.error("Cluster {}: the desk has failed.", cluster, e);
        } finally {
            waiting.forEach(pending -> pending.drop(closed.orElseThrow()));
        }
    }

    /** Waits for commands or for something to fall due, unless some were left over; takes none if it was the latter. */
    private void takeWaiting(List<Pending> waiting) throws InterruptedException {
        if (waiting.isEmpty()) {
            var first = queue.poll(millisToNextDue(), TimeUnit.MILLISECONDS);
            if (first == null) {
                return;
            }
            waiting.add(first);
        }
        queue.drainTo(waiting, MAX_BATCH - waiting.size());
    }

    /** At most a second, so that a clock that was set forward is noticed. */
    private long millisToNextDue() {
        return current.nextDue()
                .map(due -> Math.clamp(due.at() * 1000 - clock.millis(), 0L, 1000L))
                .orElse(1000L);
    }

    /** Answers how many of those that wait were come to, the first ones. */
    private int workOff(List<Pending> waiting) throws InterruptedException {
        var due = advanceClock();
        // more than one batch holds, as after a long downtime: recorded before any command is decided
        while (due.events().size() == MAX_BATCH && closed.isEmpty()) {
            recordOrPause(new Draft(current, due.next(), due.events()));
            due = advanceClock();
        }
        if (closed.isPresent()) {
            return 0;
        }
        var draft = new Draft(current, due.next(), due.events());
        int done = draft.decide(waiting, ENOUGH, now, sequence);
        meters.batch(draft.size());
        if (draft.events().isEmpty()) {
            answer(draft);
        } else if (draft.size() == 0) {
            recordOrPause(draft);
        } else {
            record(draft);
        }
        return done;
    }

    private Decision.Accepted advanceClock() {
        long time = clock.instant().getEpochSecond();
        boolean behind = time < now - CLOCK_TOLERANCE;
        if (behind && !clockIsBehind) {
            log.warn(
                    "Cluster {}: the clock is {} s behind the last event; time stands still until then.",
                    cluster,
                    now - time);
        }
        clockIsBehind = behind;
        now = Math.max(now, time);
        return new AdvanceClock(MAX_BATCH, heardSince).decide(current, now);
    }

    /** Records what nobody waits for; does not try again at once where that fails. */
    private void recordOrPause(Draft draft) throws InterruptedException {
        if (!record(draft) && closed.isEmpty()) {
            Thread.sleep(RETRY);
        }
    }

    /** Answers whether the draft is durable; if so, it is the current schedule now. */
    private boolean record(Draft draft) throws InterruptedException {
        var batch = new Batch(cluster, epoch, sequence, draft.events(), draft.keys());
        return switch (meters.commit(() -> ledger.append(batch))) {
            case Outcome.Committed() -> applied(draft, batch);
            case Outcome.Failed(var cause) -> {
                log.warn(
                        "Cluster {}: {} events were not recorded: {}",
                        cluster,
                        batch.events().size(),
                        cause.toString());
                log.debug("Cluster {}: the cause", cluster, cause);
                yield notRecorded(draft);
            }
            case Outcome.Fenced() -> {
                boolean recorded = fenced();
                draft.answerAll(new Answer.NotDecided(closed.orElseThrow()));
                yield recorded;
            }
            case Outcome.Unknown(var cause) -> {
                log.warn("Cluster {}: the outcome of a commit is unknown, reading it back.", cluster, cause);
                yield settled(draft, batch);
            }
        };
    }

    private boolean settled(Draft draft, Batch batch) throws InterruptedException {
        if (!(standing() instanceof Standing.Writer(long newEpoch, long recorded))) {
            return fenced();
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
        return fenced();
    }

    private Standing standing() throws InterruptedException {
        while (true) {
            try {
                return ledger.settle(cluster);
            } catch (StorageUnavailable e) {
                log.warn("Cluster {}: the database does not answer, trying again.", cluster, e);
            }
            Thread.sleep(RETRY);
        }
    }

    private boolean applied(Draft draft, Batch batch) {
        sequence = batch.lastSequence();
        isRecording = true;
        current = draft.schedule();
        answer(draft);
        return true;
    }

    private void answer(Draft draft) {
        refusals.add(draft.refused(), now);
        draft.answer();
    }

    private boolean notRecorded(Draft draft) {
        isRecording = false;
        draft.answerAll(new Answer.NotDecided("The decision could not be recorded; try again later."));
        return false;
    }

    /** Whoever was in doubt stays in doubt: the cluster has gone on without us. */
    private boolean fenced() {
        var reason = "Another process has taken over cluster %s; this one must be restarted.".formatted(cluster);
        log.error(reason);
        close(reason);
        return false;
    }
}
