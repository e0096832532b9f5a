package berth.engine;

import berth.engine.BookingLimits.Entered;
import berth.engine.ClusterWriter.Next;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.runtime.FailureStreak;
import berth.runtime.Threads;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Leads;
import berth.scheduling.Rejection;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the commands for a cluster in order. Its thread takes the turns of the cluster's writer, {@link ClusterWriter}. After a turn that
 * fails in a way other than those of the ledger's outcomes, the desk opens again with what is recorded, as often as necessary.
 */
final class Desk {

    private static final int MAX_QUEUE = 20_000;

    /** The pause after the first failure; each further one doubles it, up to the longest. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

    /** After so many failures in a row, which take about a minute, only a new process may help. */
    static final int MAX_FAILURES = 8;

    private static final String FAILED =
            "The desk of this cluster has failed and opens again with what is recorded. Try again later.";

    private static final Logger log = LoggerFactory.getLogger(Desk.class);

    private final ClusterId cluster;
    private final Ledger ledger;
    private final Threads threads;
    private final InstantSource clock;
    private final Duration patience;
    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(MAX_QUEUE);
    private final RefusalCounts refusals = new RefusalCounts();
    private final DeskMeters meters;
    private final ClusterWriter writer;
    private final Thread thread;

    private final FailureStreak failure;

    private volatile Optional<String> closed = Optional.empty();

    /** The number of failures since the last turn that succeeded. */
    private volatile int failures;

    /** Whether any turn has succeeded. */
    private volatile boolean hasWorked;

    Desk(
            Ledger.Recovered recovered,
            Ledger ledger,
            Threads threads,
            InstantSource clock,
            Supplier<Leads.Requests> asked,
            Runnable collected,
            Consumer<IntakeRequest> turnedDown,
            Duration patience,
            MeterRegistry registry,
            Function<AccountName, Optional<Entered>> booking,
            ToLongFunction<AccountName> pendingElsewhere,
            Budgets budgets) {
        this.cluster = recovered.cluster().id();
        this.ledger = ledger;
        this.threads = threads;
        this.clock = clock;
        this.patience = patience;
        this.meters = new DeskMeters(registry, cluster);
        this.writer = new ClusterWriter(
                recovered,
                ledger,
                threads,
                clock,
                asked,
                collected,
                turnedDown,
                refusals,
                meters,
                booking,
                pendingElsewhere,
                budgets);
        this.thread = threads.lasting("desk-" + cluster, this::work);
        this.failure = new FailureStreak(
                log,
                "Cluster %s: the desk has failed. Berth opens it again with what is recorded, and tries until that succeeds."
                        .formatted(cluster));
        meters.watch(this, queue, clock);
    }

    /** Records the refusals counted since the last call. */
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
        thread.start();
    }

    /** Lets the desk work if something is due at {@code time} that it does not expect yet. A desk with commands works anyway. */
    void look(long time) {
        if (writer.isToWake(time) && queue.isEmpty()) {
            var unused = submit(new AdvanceClock(1), Optional.empty());
        }
    }

    ClusterSchedule schedule() {
        return writer.schedule();
    }

    Basis outlook() {
        return writer.outlook();
    }

    /** Counts a command that was refused on a snapshot and never reaches the desk. */
    void countRefusal(Command command, Rejection reason, long time) {
        meters.count(command, new Answer.Refused(reason));
        if (command instanceof Reserve) {
            refusals.add(List.of(reason.code()), time);
        }
    }

    /** Returns why the desk takes no more commands; empty if it does. */
    Optional<String> closed() {
        return closed;
    }

    /** Returns why the desk does not work as it should; empty if it does, as far as is known. */
    Optional<String> trouble() {
        return closed.or(() -> hasFailed() ? Optional.of(FAILED) : Optional.empty())
                .or(() -> writer.isRecording()
                        ? Optional.empty()
                        : Optional.of(
                                "The database records nothing; the cluster goes on by itself as soon as it does."))
                .or(() -> {
                    long lag = writer.lag();
                    return lag <= ClusterWriter.CLOCK_TOLERANCE
                            ? Optional.empty()
                            : Optional.of(
                                    "The clock is %d s behind the last event; the cluster's time stands still until the clock has caught up."
                                            .formatted(lag));
                });
    }

    /** Whether the last turn failed, in a way other than that nothing could be recorded. */
    boolean hasFailed() {
        return failures > 0;
    }

    /**
     * Returns why only a new process may help: the desk has ended, or has worked and cannot be opened again. A desk that has not worked in
     * this process is no such case, because a start was of no use.
     */
    Optional<String> lost() {
        return closed.or(() -> hasWorked && failures >= MAX_FAILURES ? Optional.of(FAILED) : Optional.empty());
    }

    /** Returns by how many seconds the clock is behind the last event; 0 if it is not. */
    long lag() {
        return writer.lag();
    }

    /** Submits a command. */
    Pending submit(Command command, Optional<KeyUse> key) {
        return submit(new Pending(command, key));
    }

    /** Submits a command with its client. */
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

    /** Takes no more commands and refuses waiting ones; work in progress may still finish. */
    void close(String why) {
        if (closed.isEmpty()) {
            closed = Optional.of(why);
        }
        dropWaiting(why);
        thread.interrupt();
    }

    /** Waits for a desk that is being closed. */
    void awaitClosed() {
        threads.awaitEnd(List.of(thread), patience);
    }

    private void dropWaiting(String why) {
        var waiting = new ArrayList<Pending>();
        queue.drainTo(waiting);
        waiting.forEach(pending -> pending.drop(why));
    }

    private void work() {
        var waiting = new ArrayList<Pending>();
        try {
            Next next = new Next.Turn(Duration.ZERO);
            while (closed.isEmpty()) {
                try {
                    next = worked(next, waiting);
                } catch (RuntimeException | Error e) {
                    failures++;
                    writer.failed();
                    meters.failed();
                    failure.failed(e);
                    next = writer.isInDoubt() ? new Next.Pause(pause()) : new Next.Reopening(pause());
                }
            }
        } catch (InterruptedException e) {
            // the desk is being closed
        } finally {
            close("The desk of this cluster has ended; the service must be restarted.");
            // answer clients whose commands this closed desk will never decide
            waiting.forEach(pending -> pending.drop(closed.orElseThrow()));
        }
    }

    private Next worked(Next now, List<Pending> waiting) throws InterruptedException {
        switch (now) {
            case Next.Turn(var within) -> takeWaiting(waiting, within);
            case Next.Pause(var pause) -> threads.sleep(pause);
            case Next.Reopening(var pause) -> refuse(waiting, pause);
            case Next.End(var why) -> close(why);
        }
        if (closed.isPresent()) {
            return now;
        }
        var next = writer.turn(waiting);
        meters.watch(this, queue, clock);
        if (!writer.hasFailed()) {
            hasWorked = true;
            if (hasFailed()) {
                log.info("Cluster {}: the desk works again.", cluster);
            }
            failures = 0;
            failure.ended();
        }
        return next;
    }

    private Duration pause() {
        var pause = RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(LONGEST_RETRY) < 0 ? pause : LONGEST_RETRY;
    }

    /** Refuses all commands for that time. */
    private void refuse(List<Pending> waiting, Duration time) throws InterruptedException {
        long end = threads.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && closed.isEmpty(); left = end - threads.nanoTime()) {
            waiting.forEach(pending -> pending.drop(FAILED));
            waiting.clear();
            takeWaiting(waiting, Duration.ofNanos(left));
        }
    }

    /** Waits for commands, unless some are left over. */
    private void takeWaiting(List<Pending> waiting, Duration within) throws InterruptedException {
        if (waiting.isEmpty()) {
            var first = threads.poll(queue, within);
            if (first == null) {
                return;
            }
            waiting.add(first);
        }
        queue.drainTo(waiting, ClusterWriter.MAX_BATCH - waiting.size());
    }
}
