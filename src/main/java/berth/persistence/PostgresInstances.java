package berth.persistence;

import berth.desk.Instance;
import berth.desk.Instance.State;
import berth.desk.Instances;
import berth.desk.StorageUnavailable;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;

/**
 * One of several instances on a database (ADR 38). It tells the others that it is alive, and stands by until the one that decides has
 * ended, leaves, or has not been heard of for the length of a lease; then it becomes the writer and opens the desks. Two that believe to
 * decide do no harm: what they write is guarded by the {@link Generation} and the epochs, and whoever has not been heard of for a lease
 * answers nothing.
 */
final class PostgresInstances implements Instances, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(PostgresInstances.class);

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration BEAT = Duration.ofSeconds(1);

    /** By so much an instance stops answering before others may take it for dead. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** So long whoever decides has its lock back first, where the server has lost all sessions. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration SHORTEST = Duration.ofSeconds(3);

    private static final Duration RETRY = Duration.ofSeconds(5);

    private final JdbcConnectionDetails database;
    private final Durability durability;
    private final Generation generation;
    private final Succession succession;
    private final Supplier<Opening> opening;
    private final Supplier<Instance> entry;
    private final Duration lease;
    private final Timer takeovers;
    private final Thread thread = Thread.ofPlatform().daemon().name("instances").unstarted(this::work);

    private volatile State state = State.STANDBY;
    private volatile List<Instance> living = List.of();
    private volatile Optional<Instance> active = Optional.empty();

    /** Until when this instance is not taken for dead, by {@link System#nanoTime}. */
    private volatile long heardUntil = System.nanoTime();

    private volatile boolean isRunning;
    private volatile boolean isTakingOver;

    // known to the thread alone
    private @Nullable InstanceTable table;
    private @Nullable Instance self;
    private volatile long nextBeat;

    /** Since when the database has answered without a pause. */
    private long answersSince;

    private long nextLookAtAccounts;
    private volatile long nextTry;
    private volatile boolean isToUnlock;
    private boolean isUnanswered;

    /** Of another instance that was taken for dead, until its place is taken. */
    private Optional<String> end = Optional.empty();

    /**
     * @param opening which wants to know who decides, too
     * @param entry this instance, once its address is known
     * @param lease for how long an instance that is not heard of is still taken for alive
     * @throws InvalidConfigurationPropertyValueException if that is less than three seconds
     */
    PostgresInstances(
            JdbcConnectionDetails database,
            Durability durability,
            Generation generation,
            Succession succession,
            Supplier<Opening> opening,
            Supplier<Instance> entry,
            Duration lease,
            MeterRegistry registry) {
        if (lease.compareTo(SHORTEST) < 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "berth.lease", lease, "It must be three seconds or more.");
        }
        this.database = database;
        this.durability = durability;
        this.generation = generation;
        this.succession = succession;
        this.opening = opening;
        this.entry = entry;
        this.lease = lease;
        Gauge.builder("berth.instances", this, it -> it.living.size())
                .description("Instances on this database that are alive")
                .baseUnit("instances")
                .register(registry);
        Gauge.builder("berth.instance.active", this, it -> it.state == State.ACTIVE ? 1 : 0)
                .description("1 if this instance decides, 0 if it stands by")
                .register(registry);
        Gauge.builder("berth.lease.left", this, it -> it.leaseLeft().toMillis() / 1000.0)
                .description("For how long this instance is not taken for dead, if it is not heard of again")
                .baseUnit("seconds")
                .register(registry);
        takeovers = Timer.builder("berth.takeover")
                .description("From when the place of who decides was free until this instance decides")
                .register(registry);
    }

    private Duration leaseLeft() {
        return Duration.ofNanos(Math.max(0, heardUntil - System.nanoTime()));
    }

    @Override
    public Turn turn() {
        if (state == State.ACTIVE) {
            return leaseLeft().isZero() ? new Turn.Nobody() : new Turn.Here();
        }
        return active.<Turn>map(Turn.There::new).orElseGet(Turn.Nobody::new);
    }

    @Override
    public List<Instance> all() {
        return living;
    }

    /** Tells the others where this instance is reached, and takes part. */
    void standBy() {
        thread.start();
    }

    @Override
    public void start() {
        isRunning = true;
    }

    /** Lets another instance decide, once nothing is under way here any more. */
    @Override
    public void stop() {
        isRunning = false;
        thread.interrupt();
        try {
            thread.join(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        state = State.LEAVING;
        log.info("Instance {} leaves.", generation.name());
        opening.get().desks().close("This instance ends; another one decides.");
        leave();
    }

    private void leave() {
        if (table == null || self == null) {
            return;
        }
        try (var last = table) {
            last.beat(self.id(), State.LEAVING);
            last.unlock();
            last.remove(self.id());
        } catch (SQLException e) {
            log.debug("The others find out by themselves that this instance has left.", e);
        }
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    /** Once calls are taken no more. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 4096;
    }

    private void work() {
        while (isRunning) {
            try {
                look();
                isUnanswered = false;
            } catch (SQLException | StorageUnavailable e) {
                if (!isUnanswered) {
                    log.warn("The database does not say which instances there are: {}", e.getMessage());
                    isUnanswered = true;
                }
                forget();
            } catch (Throwable e) {
                log.error("The instances could not be looked at; this is tried again.", e);
                forget();
            }
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                // it may be time to stop
            }
        }
    }

    /** What the session was, it is no more. */
    private void forget() {
        active = Optional.empty();
        if (table != null) {
            try {
                table.close();
            } catch (SQLException e) {
                log.debug("The session is broken.", e);
            }
            table = null;
        }
    }

    private void look() throws SQLException {
        long before = System.nanoTime();
        var present = table;
        boolean isNew = present == null;
        if (present == null) {
            if (self != null) {
                // one that decides and has lost its session, too, has its lock back first
                nextTry = before + GRACE.toNanos();
            }
            present = InstanceTable.open(database, durability, generation.sessionName(), lease.dividedBy(2));
            table = present;
        }
        if (isNew || before >= nextBeat) {
            beat(present);
            nextBeat = before + BEAT.toNanos();
            requireUnreplaced(present);
            heardUntil = before + lease.minus(MARGIN).toNanos();
        }
        var rows = present.all();
        if (isNew || System.nanoTime() - before > BEAT.toNanos()) {
            // whoever was not heard of meanwhile may have been unable to speak, too
            answersSince = before;
        }
        living = rows.stream()
                .filter(row -> !isSilent(row))
                .map(InstanceTable.Row::instance)
                .toList();
        active = rows.stream()
                .filter(row -> row.isHolder() && row.instance().state() == State.ACTIVE)
                .map(InstanceTable.Row::instance)
                .filter(instance -> !isSelf(instance))
                .findFirst();
        if (state == State.STANDBY && before >= nextLookAtAccounts) {
            opening.get().accounts().look();
            nextLookAtAccounts = before + BEAT.toNanos();
        }
        boolean isFree = rows.stream().noneMatch(InstanceTable.Row::isHolder);
        if (state == State.STANDBY) {
            standBy(present, rows);
        } else if (state == State.ACTIVE && isFree) {
            present.tryLock();
        }
        if (System.nanoTime() - answersSince > lease.toNanos()) {
            endSilent(present, rows);
        }
    }

    /** One that was taken for dead, and was not, learns it before it answers anybody. */
    private void requireUnreplaced(InstanceTable present) throws SQLException {
        var successor = present.successor(generation);
        if (successor.isPresent()) {
            state = State.LEAVING;
            generation.tell(successor.get());
            throw new SQLException("Another instance has taken over.");
        }
    }

    private boolean isSelf(Instance instance) {
        return self != null && instance.id().equals(self.id());
    }

    private boolean isSilent(InstanceTable.Row row) {
        return row.silence().compareTo(lease) > 0;
    }

    private void beat(InstanceTable present) throws SQLException {
        if (self == null) {
            self = entry.get();
            log.info("Instance {} stands by, and is reached at {}.", self.name(), self.url());
        }
        if (!present.beat(self.id(), state)) {
            present.enter(self.in(state), generation.tag());
        }
    }

    private void standBy(InstanceTable present, List<InstanceTable.Row> rows) throws SQLException {
        if (isToUnlock) {
            present.unlock();
            isToUnlock = false;
        }
        long now = System.nanoTime();
        if (isTakingOver || now < nextTry) {
            return;
        }
        if (present.tryLock()) {
            isTakingOver = true;
            var why = end.orElseGet(() -> whyFree(rows));
            end = Optional.empty();
            for (var row : rows) {
                if (row.instance().state() != State.STANDBY) {
                    present.remove(row.instance().id());
                }
            }
            Thread.ofPlatform().daemon().name("takeover").start(() -> takeOver(why, now));
        }
    }

    private void endSilent(InstanceTable present, List<InstanceTable.Row> rows) throws SQLException {
        for (var row : rows) {
            if (isSilent(row) && !isSelf(row.instance())) {
                log.warn(
                        "Instance {} is taken for dead: nothing was heard of it for {} s. Its sessions are ended.",
                        row.instance().name(),
                        row.silence().toMillis() / 1000.0);
                present.endSessions(row.session());
                present.remove(row.instance().id());
                if (row.isHolder()) {
                    end = Optional.of(
                            "%s was taken for dead".formatted(row.instance().name()));
                }
            }
        }
    }

    private static String whyFree(List<InstanceTable.Row> rows) {
        return rows.stream()
                .map(InstanceTable.Row::instance)
                .filter(instance -> instance.state() != State.STANDBY)
                .findFirst()
                .map(instance ->
                        "%s %s".formatted(instance.name(), instance.state() == State.LEAVING ? "leaves" : "has ended"))
                .orElse("no other one decides");
    }

    private void takeOver(String why, long since) {
        try {
            Schema.requireKnown(Schema.flyway(database));
            succession.take();
            while (isRunning && !isOpened()) {
                Thread.sleep(RETRY.dividedBy(10));
            }
            var took = Duration.ofNanos(System.nanoTime() - since);
            takeovers.record(took);
            if (!isRunning) {
                return;
            }
            state = State.ACTIVE;
            nextBeat = 0;
            log.info("This instance decides from now on, since {}; it took {} ms.", why, took.toMillis());
        } catch (StartRefused e) {
            log.error("This instance cannot take over: {} {}", e.getMessage(), e.remedy());
            giveUp();
        } catch (RuntimeException e) {
            log.error("This instance cannot take over.", e);
            giveUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isTakingOver = false;
        }
    }

    /** Another one may try meanwhile. */
    private void giveUp() {
        nextTry = System.nanoTime() + RETRY.toNanos();
        isToUnlock = true;
    }

    private boolean isOpened() {
        try {
            opening.get().open();
            return true;
        } catch (StorageUnavailable e) {
            log.warn("The desks are not open yet: the database does not answer.", e);
            return false;
        }
    }
}
