package berth.instances;

import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several instances on a database (ADR 38). It sends heartbeats and stands by until the active instance ends, leaves, or is silent
 * for the length of a lease; then it becomes the writer and opens the desks. Two instances that both consider themselves active do no harm:
 * the database and the epochs guard all writes, and an instance without a heartbeat for a lease answers nothing.
 */
public final class SharedInstance implements Instances, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SharedInstance.class);

    /** The shortest lease. */
    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration BEAT = Duration.ofSeconds(1);

    /** An instance stops answering this long before the others may declare it dead. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** How long the active instance has to get its lock back after the server has lost all sessions. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** How long an instance that is still rehearsing leaves a free lock to the others. */
    private static final Duration HEAD_START = Duration.ofSeconds(1);

    private static final Duration RETRY = Duration.ofSeconds(5);

    /** How often a standby checks whether it could take over. */
    private static final Duration EXAMINATION = Duration.ofSeconds(5);

    private final Supplier<Roll> sessions;
    private final WriterRole writerRole;
    private final Supplier<Instance> entry;
    private final Duration lease;
    private final Threads threads;
    private final Timer takeovers;
    private final Thread thread;
    private final Thread rehearsal;

    private volatile Instance.State state = Instance.State.STANDBY;
    private volatile List<Instance> living = List.of();
    private volatile Optional<Instance> active = Optional.empty();
    private volatile Optional<String> obstacle = Optional.empty();
    private volatile @Nullable Instance self;

    /** The time until which this instance cannot be declared dead, by {@link Threads#nanoTime}. */
    private volatile long heardUntil;

    /** The thread of the last attempt to take over. */
    private volatile Optional<Thread> takeover = Optional.empty();

    private volatile boolean isRunning = true;
    private volatile boolean isTakingOver;
    private volatile long nextBeat;
    private volatile long nextTry;
    private volatile long nextExamination;
    private volatile boolean isToUnlock;
    private volatile boolean isRehearsing = true;

    // used only by the thread, and by close after it has ended
    private @Nullable Roll roll;

    /** Since when the database has answered without interruption. */
    private long answersSince;

    /** When some instance last held the lock, as far as is known. */
    private long heldAt;

    private long nextFollowing;
    private boolean isUnanswered;

    /** Why the active instance's place is free, if another instance was declared dead; empty again once the place is taken. */
    private Optional<String> death = Optional.empty();

    /**
     * Creates the instance.
     *
     * @param sessions opens a session; throws {@link StorageUnavailable} if the database does not answer
     * @param entry describes this instance, once its address is known
     * @param lease how long a silent instance counts as alive, at least {@link #SHORTEST_LEASE}
     */
    public SharedInstance(
            Supplier<Roll> sessions,
            WriterRole writerRole,
            Supplier<Instance> entry,
            Duration lease,
            Threads threads,
            MeterRegistry registry) {
        this.sessions = sessions;
        this.writerRole = writerRole;
        this.entry = entry;
        this.lease = lease;
        this.threads = threads;
        this.thread = threads.lasting("instances", this::work);
        this.rehearsal = threads.lasting("rehearsal", this::rehearse);
        long now = threads.nanoTime();
        heardUntil = now;
        nextBeat = now;
        nextTry = now;
        nextFollowing = now;
        nextExamination = now;
        heldAt = now;
        Gauge.builder("berth.instances", this, it -> it.living.size())
                .description("Instances on this database that are alive.")
                .baseUnit("instances")
                .register(registry);
        Gauge.builder("berth.instance.active", this, it -> it.state == Instance.State.ACTIVE ? 1 : 0)
                .description("1 if this instance is the active one, 0 if it stands by.")
                .register(registry);
        Gauge.builder("berth.lease.left", this, it -> it.leaseLeft().toMillis() / 1000.0)
                .description("Time until the other instances consider this one dead, unless it reports again.")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("berth.standby.obstructed", this, it -> it.obstacle.isPresent() ? 1 : 0)
                .description(
                        "1 if this instance stands by but could not become active, for example because its clock is wrong.")
                .register(registry);
        takeovers = Timer.builder("berth.takeover")
                .description("Time from when there was no active instance until this one is active.")
                .register(registry);
    }

    private Duration leaseLeft() {
        return Duration.ofNanos(Math.max(0, heardUntil - threads.nanoTime()));
    }

    @Override
    public Turn turn() {
        if (state == Instance.State.ACTIVE) {
            return leaseLeft().isZero() ? new Turn.Nobody() : new Turn.Here();
        }
        return active.<Turn>map(Turn.There::new).orElseGet(Turn.Nobody::new);
    }

    @Override
    public List<Instance> all() {
        return living;
    }

    @Override
    public Optional<Instance> self() {
        return Optional.ofNullable(self);
    }

    @Override
    public Optional<String> obstacle() {
        return obstacle;
    }

    /** Publishes the address of this instance and starts to stand by. */
    public void standBy() {
        thread.start();
    }

    /** Lets another instance take over once nothing is in progress here. */
    @Override
    public void close() {
        isRunning = false;
        rehearsal.interrupt();
        threads.awaitEnd(List.of(thread, rehearsal), RETRY);
        // only the thread that has ended starts one
        threads.awaitEnd(takeover.stream().toList(), RETRY);
        state = Instance.State.LEAVING;
        log.info("This instance ends; another one can take over.");
        writerRole.leave();
        leave();
    }

    private void leave() {
        var own = self;
        if (roll == null || own == null) {
            return;
        }
        try (var last = roll) {
            last.beat(own.id(), Instance.State.LEAVING);
            last.unlock();
            last.remove(own.id());
        } catch (StorageUnavailable e) {
            log.debug("The other instances will notice by themselves that this one has left.", e);
        }
    }

    private void work() {
        while (isRunning) {
            try {
                look();
                isUnanswered = false;
            } catch (StorageUnavailable e) {
                if (!isUnanswered) {
                    log.warn("The instances cannot be read from the database; Berth tries again.", e);
                    isUnanswered = true;
                }
                forget();
            } catch (Throwable e) {
                log.error("The check of the instances has failed; Berth tries again.", e);
                forget();
            }
            try {
                threads.sleep(LOOK);
            } catch (InterruptedException e) {
                // it may be time to stop
            }
        }
    }

    /** Forgets a lost session. Its lock is gone too, so another instance may be active by now. */
    private void forget() {
        active = Optional.empty();
        heardUntil = threads.nanoTime();
        if (roll != null) {
            roll.close();
            roll = null;
        }
    }

    private void look() {
        long before = threads.nanoTime();
        var present = roll;
        boolean isNew = present == null;
        if (present == null) {
            if (self != null) {
                // an active instance that lost its session as well gets its lock back first
                nextTry = before + GRACE.toNanos();
            }
            present = sessions.get();
            roll = present;
        }
        boolean isToBeat = isNew || before - nextBeat >= 0;
        if (isToBeat) {
            beat(present);
            nextBeat = before + BEAT.toNanos();
            requireUnreplaced(present);
        }
        var rows = present.all();
        if (isNew || threads.nanoTime() - before > BEAT.toNanos()) {
            // an instance without a heartbeat meanwhile may have been unable to send one
            answersSince = before;
        }
        living = rows.stream()
                .filter(row -> !isSilent(row))
                .map(Roll.Row::instance)
                .toList();
        active = rows.stream()
                .filter(row -> row.isHolder() && row.instance().state() == Instance.State.ACTIVE)
                .map(Roll.Row::instance)
                .filter(instance -> !isSelf(instance))
                .findFirst();
        if (state == Instance.State.STANDBY && before - nextFollowing >= 0) {
            writerRole.follow();
            nextFollowing = before + BEAT.toNanos();
        }
        if (state == Instance.State.STANDBY && !isTakingOver && before - nextExamination >= 0) {
            examine(present);
            nextExamination = before + EXAMINATION.toNanos();
        }
        boolean hasItsPlace = state != Instance.State.ACTIVE || rows.stream().anyMatch(this::isOwnPlace);
        if (state == Instance.State.STANDBY) {
            seekPlace(present, rows);
        } else if (!hasItsPlace) {
            requireUnreplaced(present);
            hasItsPlace = present.tryLock();
        }
        if (isToBeat && hasItsPlace) {
            // not earlier: another instance may have replaced one that lost its lock
            heardUntil = before + lease.minus(MARGIN).toNanos();
        }
        if (threads.nanoTime() - answersSince > lease.toNanos()) {
            endSilent(present, rows);
        }
    }

    /** Detects that this instance was declared dead by mistake, before it answers any call. */
    private void requireUnreplaced(Roll present) {
        var successor = present.successor();
        if (successor.isPresent()) {
            state = Instance.State.LEAVING;
            writerRole.replaced(successor.get());
            throw new StorageUnavailable(new IllegalStateException("Another instance has taken over."));
        }
    }

    private boolean isOwnPlace(Roll.Row row) {
        return row.isHolder() && isSelf(row.instance());
    }

    private boolean isSelf(Instance instance) {
        return self().filter(it -> it.id().equals(instance.id())).isPresent();
    }

    /** Whether the row is another instance that stands by. */
    private boolean isOther(Roll.Row row) {
        return row.instance().state() == Instance.State.STANDBY && !isSelf(row.instance()) && !isSilent(row);
    }

    private boolean isSilent(Roll.Row row) {
        return row.silence().compareTo(lease) > 0;
    }

    private void beat(Roll present) {
        var own = self;
        if (own == null) {
            own = entry.get();
            self = own;
            log.info("Instance {} stands by; its address is {}.", own.name(), own.url());
            rehearsal.start();
        }
        if (!present.beat(own.id(), state)) {
            present.enter(own.in(state));
        }
    }

    private void rehearse() {
        try {
            writerRole.rehearse();
        } catch (RuntimeException e) {
            log.debug("The rehearsal of a takeover failed; the first takeover will take longer.", e);
        } finally {
            isRehearsing = false;
        }
    }

    /** Looks in advance for what would prevent a takeover, so that operators learn of it before they need this instance. */
    private void examine(Roll present) {
        var before = obstacle;
        obstacle = present.obstacle();
        if (obstacle.isPresent() && before.isEmpty()) {
            log.error("This instance stands by, but could not take over: {}", obstacle.get());
        } else if (obstacle.isEmpty() && before.isPresent()) {
            log.info("This instance could take over again.");
        }
    }

    private void seekPlace(Roll present, List<Roll.Row> rows) {
        if (isToUnlock) {
            present.unlock();
            isToUnlock = false;
        }
        long now = threads.nanoTime();
        if (rows.stream().anyMatch(Roll.Row::isHolder)) {
            heldAt = now;
        }
        boolean isFirst = !isRehearsing
                || now - heldAt >= HEAD_START.toNanos()
                || rows.stream().noneMatch(this::isOther);
        if (isTakingOver || now - nextTry < 0 || !isFirst) {
            return;
        }
        if (present.tryLock()) {
            for (var row : rows) {
                if (row.instance().state() != Instance.State.STANDBY) {
                    present.remove(row.instance().id());
                }
            }
            // only now: whatever the database failed to answer above is repeated by the next holder of the lock
            isTakingOver = true;
            var why = death.orElseGet(() -> whyFree(rows));
            death = Optional.empty();
            try {
                var begun = threads.lasting("takeover", () -> takeOver(why, now));
                takeover = Optional.of(begun);
                begun.start();
            } catch (RuntimeException | Error e) {
                isTakingOver = false;
                giveUp();
                throw e;
            }
        }
    }

    private void endSilent(Roll present, List<Roll.Row> rows) {
        for (var row : rows) {
            var instance = row.instance();
            if (isSilent(row) && !isSelf(instance)) {
                log.warn(
                        "Instance {} is considered dead: it has not reported for {} s. This instance ends its database sessions.",
                        instance.name(),
                        row.silence().toMillis() / 1000.0);
                present.endSessions(instance.id());
                present.remove(instance.id());
                if (row.isHolder()) {
                    death = Optional.of("%s is considered dead".formatted(instance.name()));
                }
            }
        }
    }

    private static String whyFree(List<Roll.Row> rows) {
        return rows.stream()
                .map(Roll.Row::instance)
                .filter(instance -> instance.state() != Instance.State.STANDBY)
                .findFirst()
                .map(instance -> "%s %s"
                        .formatted(
                                instance.name(), instance.state() == Instance.State.LEAVING ? "leaves" : "has ended"))
                .orElse("no other instance is active");
    }

    private void takeOver(String why, long since) {
        try {
            rehearsal.interrupt();
            writerRole.take();
            while (isRunning && !isOpened()) {
                threads.sleep(RETRY.dividedBy(10));
            }
            var took = Duration.ofNanos(threads.nanoTime() - since);
            takeovers.record(took);
            if (!isRunning) {
                return;
            }
            obstacle = Optional.empty();
            state = Instance.State.ACTIVE;
            nextBeat = threads.nanoTime();
            log.info("This instance is active now, because {}; the takeover took {} ms.", why, took.toMillis());
        } catch (WriterRole.Refused e) {
            obstacle = Optional.ofNullable(e.getMessage());
            // the next attempt shows whether this still holds
            nextExamination = threads.nanoTime() + RETRY.multipliedBy(2).toNanos();
            log.error("This instance cannot take over; another one can try: {}", e.getMessage());
            giveUp();
        } catch (RuntimeException | Error e) {
            giveUp();
            log.error("This instance cannot take over; another one can try.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isTakingOver = false;
        }
    }

    /** Has the lock released at the next check, so that another instance can try before this one does again. */
    private void giveUp() {
        nextTry = threads.nanoTime() + RETRY.toNanos();
        isToUnlock = true;
    }

    private boolean isOpened() {
        try {
            writerRole.open();
            return true;
        } catch (StorageUnavailable e) {
            log.warn("The desks are not open yet, because the database does not answer; Berth tries again.", e);
            return false;
        }
    }
}
