package berth.engine;

import berth.engine.Records.FirstResult.KeyResult;
import berth.runtime.PeriodicCheck;
import berth.runtime.Threads;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that a request with an idempotency key is executed once, whatever kind of call it is. Requests with one key run one after
 * another; later ones see the result of the first. Thread-safe.
 */
public final class Keys {

    /** How long a key is valid. */
    public static final Duration LIFE = Duration.ofHours(24);

    /** The pause after a failure to read recorded keys. */
    private static final Duration RETRY = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Keys.class);

    private static final String UNDER_WAY =
            "Another request with the same Idempotency-Key is still under way; repeat this one later.";

    private final Threads threads;
    private final Turns<AccountKey> turns;
    private final UsedKeys used;
    private final Ledger ledger;
    private final Records records;
    private final Duration patience;

    /**
     * Creates the component.
     *
     * @param patience how long a request waits for its turn
     */
    Keys(Ledger ledger, Records records, Threads threads, InstantSource clock, Duration patience) {
        this.threads = threads;
        this.turns = new Turns<>(threads);
        this.ledger = ledger;
        this.records = records;
        this.patience = patience;
        this.used = new UsedKeys(clock, UsedKeys.MAX);
    }

    /** Returns how many keys are in memory. */
    int remembered() {
        return used.size();
    }

    /** Reads the recorded keys. Until that has finished, every key is looked up in the database. */
    void recall() {
        threads.light()
                .newThread(() -> {
                    while (!isRecalled() && PeriodicCheck.sleep(threads, RETRY)) {
                        // it is tried again
                    }
                })
                .start();
    }

    private boolean isRecalled() {
        try {
            records.usedKeys(used::note);
            used.complete();
            return true;
        } catch (RuntimeException e) {
            log.warn(
                    "The used idempotency keys cannot be read yet; until then Berth looks each key up in the database: {}",
                    e.toString());
            return false;
        }
    }

    private record AccountKey(AccountName account, String key) {}

    /** The turn of a key or of a request without one. It lasts until the results of all submitted commands are known. */
    public static final class Turn {

        /** The turn of a request without a key, which never waits. */
        public static final Turn WITHOUT_KEY = new Turn(Optional.empty());

        private final Optional<KeyUse> use;
        private final List<CompletableFuture<Answer>> underWay = new ArrayList<>();

        private Turn(Optional<KeyUse> use) {
            this.use = use;
        }

        /** Returns the key to record with the result. */
        public Optional<KeyUse> use() {
            return use;
        }

        /** Prolongs the turn until the command is answered, however long its client waits. */
        Pending lastsFor(Pending pending) {
            if (use.isPresent()) {
                underWay.add(pending.answer());
            }
            return pending;
        }

        /** Whether all submitted commands were answered and none of them was done. */
        private boolean isInVain() {
            return underWay.stream()
                    .allMatch(answer ->
                            answer.state() == Future.State.SUCCESS && !(answer.resultNow() instanceof Answer.Done));
        }

        private CompletableFuture<?> end() {
            return CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new));
        }
    }

    /** Decides under a key. A request that was granted before under the same key gets the same answer. */
    Answer once(Optional<KeyUse> key, Function<Turn, Answer> work) {
        return once(
                key,
                first -> Optional.of(
                        first instanceof KeyResult.Happened(var event)
                                ? new Answer.Done(List.of(event))
                                : new Answer.KeyReused()),
                answer -> answer,
                work);
    }

    /**
     * Executes something under a key, unless that was done before.
     *
     * @param again returns the answer for an earlier result; empty if the result does not count, so that the work is done
     * @param otherwise returns the answer if the key was used for another request or was not free in time
     * @param work the work, which runs in the calling thread
     */
    public <T> T once(
            Optional<KeyUse> key,
            Function<KeyResult, Optional<T>> again,
            Function<Answer, T> otherwise,
            Function<Turn, T> work) {
        if (key.isEmpty()) {
            return work.apply(Turn.WITHOUT_KEY);
        }
        var use = key.get();
        var release = turns.enter(new AccountKey(use.account(), use.key()), patience);
        if (release.isEmpty()) {
            return otherwise.apply(new Answer.NotDecided(UNDER_WAY));
        }
        var turn = new Turn(key);
        try {
            boolean isNew = !used.mayHave(use.account(), use.key());
            used.note(use.account(), use.key());
            var known = isNew ? Optional.<T>empty() : recorded(use, again, otherwise);
            if (known.isPresent()) {
                return known.get();
            }
            var result = work.apply(turn);
            if (turn.isInVain()) {
                // another process that has replaced this one may have granted it
                ledger.requireWriter();
            }
            return result;
        } finally {
            var unused = turn.end().whenComplete((_, _) -> release.get().run());
        }
    }

    /** Returns the earlier answer for the key; empty if there is none or it does not count. */
    private <T> Optional<T> recorded(
            KeyUse use, Function<KeyResult, Optional<T>> again, Function<Answer, T> otherwise) {
        return records.firstResult(use.account(), use.key())
                .flatMap(first -> first.fingerprint().equals(use.fingerprint())
                        ? again.apply(first.stands())
                        : Optional.of(otherwise.apply(new Answer.KeyReused())));
    }
}
