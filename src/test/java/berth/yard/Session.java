package berth.yard;

import berth.cluster.Cluster;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.engine.MemoryLedger;
import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A process's connection to its database, on which everything that can fail does fail. */
final class Session implements Ledger {

    /** The longest delay of a slow database. */
    static final Duration LONGEST_STALL = Duration.ofMinutes(1);

    private final Yard yard;
    private final Berth berth;
    private final MemoryLedger ledger;

    /** The epochs under which this process writes. */
    private final Map<ClusterId, Long> epochs = new HashMap<>();

    Session(Yard yard, Berth berth, MemoryLedger ledger) {
        this.yard = yard;
        this.berth = berth;
        this.ledger = ledger;
    }

    @Override
    public List<Cluster> clusters() {
        return ledger.clusters();
    }

    @Override
    public boolean create(Cluster cluster, Optional<KeyUse> key) {
        throw new AssertionError("The clusters are there from the beginning.");
    }

    @Override
    public Recovered takeOver(ClusterId cluster) {
        delay();
        yard.mayDie(berth);
        // a process that was replaced while it started takes nothing from its successor
        if (isUnreachable()) {
            throw unavailable();
        }
        var recovered = ledger.takeOver(cluster);
        writes(cluster, recovered.epoch());
        delay();
        return recovered;
    }

    @Override
    public Outcome append(Batch batch) {
        delay();
        yard.mayDie(berth);
        var outcome = appended(batch);
        yard.mayDie(berth);
        delay();
        return outcome;
    }

    private Outcome appended(Batch batch) {
        var lost = new Outcome.Unknown(new IllegalStateException("the answer is lost"));
        if (isCutOff()) {
            berth.met(Fault.CUT_OFF);
            return lost;
        }
        if (berth.site().isDiskFull()) {
            berth.met(Fault.DISK_FULL);
            return new Outcome.Failed(new IllegalStateException("no space left"));
        }
        if (yard.happens(Fault.COMMIT_FAILS)) {
            berth.met(Fault.COMMIT_FAILS);
            return new Outcome.Failed(new IllegalStateException("it fails"));
        }
        if (yard.happens(Fault.COMMIT_AND_ANSWER_LOST)) {
            berth.met(Fault.COMMIT_AND_ANSWER_LOST);
            return lost;
        }
        if (yard.happens(Fault.LATE)) {
            berth.met(Fault.LATE);
            yard.later(() -> commit(batch));
            return lost;
        }
        if (yard.happens(Fault.STALL)) {
            berth.met(Fault.STALL);
            berth.process().pause(yard.upTo(LONGEST_STALL));
        }
        var outcome = commit(batch);
        if (outcome instanceof Outcome.Committed && yard.happens(Fault.ANSWER_LOST)) {
            berth.met(Fault.ANSWER_LOST);
            return lost;
        }
        if (outcome instanceof Outcome.Committed && yard.happens(Fault.COMMIT_WARNS)) {
            berth.met(Fault.COMMIT_WARNS);
            berth.site().warn();
            return new Outcome.Unknown(new IllegalStateException("no standby has it yet"));
        }
        return outcome;
    }

    private Outcome commit(Batch batch) {
        var outcome = ledger.append(batch);
        if (outcome instanceof Outcome.Committed) {
            watch(watch -> watch.recorded(batch));
        }
        return outcome;
    }

    @Override
    public void countRefusals(ClusterId cluster, Map<Refusals, Long> refusals) {
        ledger.countRefusals(cluster, refusals);
    }

    @Override
    public Standing resolve(ClusterId cluster) {
        delay();
        yard.mayDie(berth);
        if (isCutOff() || berth.site().isDiskFull() || berth.site().isWarning() || yard.happens(Fault.SETTLE_FAILS)) {
            throw unavailable();
        }
        if (!Long.valueOf(ledger.epoch(cluster)).equals(epochs.get(cluster))) {
            return new Standing.Fenced();
        }
        var standing = ledger.resolve(cluster);
        if (standing instanceof Standing.Writer(long epoch, long _)) {
            writes(cluster, epoch);
        }
        delay();
        if (yard.happens(Fault.SETTLE_ANSWER_LOST)) {
            throw unavailable();
        }
        return standing;
    }

    private void writes(ClusterId cluster, long epoch) {
        epochs.put(cluster, epoch);
        watch(watch -> watch.writes(cluster, epoch));
    }

    /** Reports to the watch; the caller may catch exceptions that concern others. */
    private void watch(Consumer<Watch> sees) {
        try {
            sees.accept(berth.site().watch());
        } catch (AssertionError | RuntimeException e) {
            yard.simulation().fail(e);
        }
    }

    @Override
    public void requireWriter() {
        delay();
        yard.mayDie(berth);
        if (isUnreachable()) {
            throw unavailable();
        }
    }

    /** Makes this process the writer. */
    void take() {
        delay();
        yard.mayDie(berth);
        if (isCutOff() || yard.happens(Fault.STORE_FAILS)) {
            throw unavailable();
        }
        berth.site().takenBy(berth);
        if (yard.happens(Fault.STORE_ANSWER_LOST)) {
            throw unavailable();
        }
    }

    private boolean isCutOff() {
        return berth.cutOff().isPositive();
    }

    private boolean isUnreachable() {
        return isCutOff() || yard.happens(Fault.STORE_FAILS) || berth.site().isReplaced(berth);
    }

    /** Takes the time of a small database. */
    private void delay() {
        berth.process().pause(yard.upTo(Duration.ofMillis(20)));
    }

    /** Returns another store of the database on this connection. */
    <T> T of(Class<T> type, T store) {
        return type.cast(Proxy.newProxyInstance(
                Session.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    delay();
                    yard.mayDie(berth);
                    if (isUnreachable()) {
                        berth.met(Fault.STORE_FAILS);
                        throw unavailable();
                    }
                    try {
                        var result = method.invoke(store, arguments);
                        yard.mayDie(berth);
                        if (yard.happens(Fault.STORE_ANSWER_LOST)) {
                            berth.met(Fault.STORE_ANSWER_LOST);
                            throw unavailable();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static StorageUnavailable unavailable() {
        return new StorageUnavailable(new IllegalStateException("as the yard wants it"));
    }
}
