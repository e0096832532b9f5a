package berth.desk;

import berth.desk.Records.FirstResult.Stands;
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
 * Has what is asked for under an idempotency key done once, whatever kind of call it is. Requests of one key come one after the
 * other; whoever comes later sees what the key stands for since. Safe to use from any thread.
 */
public final class Keys {

    /** How long a key counts. */
    public static final Duration LIFE = Duration.ofHours(24);

    /** How long it rests where the keys of before cannot be read. */
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

    /** @param patience how long a request waits for its turn */
    Keys(Ledger ledger, Records records, Threads threads, InstantSource clock, Duration patience) {
        this.threads = threads;
        this.turns = new Turns<>(threads);
        this.ledger = ledger;
        this.records = records;
        this.patience = patience;
        this.used = new UsedKeys(clock, UsedKeys.MAX);
    }

    /** How many keys it has in mind. */
    int remembered() {
        return used.size();
    }

    /** Reads which keys were used before; until that is done every key is looked up. */
    void recall() {
        threads.light()
                .newThread(() -> {
                    while (!isRecalled() && PeriodicCheck.sleep(threads, RETRY)) {
                        // tries again
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
            log.warn("The idempotency keys that were used before cannot be read yet: {}", e.toString());
            return false;
        }
    }

    private record AccountKey(AccountName account, String key) {}

    /** The turn of a key, or of a request without one. It lasts until the outcome of all is known that was handed in in it. */
    public static final class Turn {

        /** That of a request without a key, which waits for nobody. */
        public static final Turn WITHOUT_KEY = new Turn(Optional.empty());

        private final Optional<KeyUse> use;
        private final List<CompletableFuture<Answer>> underWay = new ArrayList<>();

        private Turn(Optional<KeyUse> use) {
            this.use = use;
        }

        /** The key, to be recorded with what it led to. */
        public Optional<KeyUse> use() {
            return use;
        }

        /** Goes on until this is answered, however long its client waits. */
        Pending lastsFor(Pending pending) {
            if (use.isPresent()) {
                underWay.add(pending.answer());
            }
            return pending;
        }

        /** Whether nothing that was handed in has led to anything, as far as that is known. */
        private boolean isInVain() {
            return underWay.stream()
                    .allMatch(answer ->
                            answer.state() == Future.State.SUCCESS && !(answer.resultNow() instanceof Answer.Done));
        }

        private CompletableFuture<?> end() {
            return CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new));
        }
    }

    /**
     * Does something under a key, unless that was done before.
     *
     * @param again what to answer where the key stands for something; empty: that does not count, and the work is done
     * @param otherwise what to answer where the key was used for another request, or was not free in time
     * @param work what is to be done, by the thread that calls this
     */
    public <T> T once(
            Optional<KeyUse> key,
            Function<Stands, Optional<T>> again,
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
                // another process that has taken the place of this one may have granted it
                ledger.requireWriter();
            }
            return result;
        } finally {
            var unused = turn.end().whenComplete((_, _) -> release.get().run());
        }
    }

    /** What was answered to the key before; empty if nothing was, or it does not count. */
    private <T> Optional<T> recorded(KeyUse use, Function<Stands, Optional<T>> again, Function<Answer, T> otherwise) {
        return records.firstResult(use.account(), use.key())
                .flatMap(first -> first.fingerprint().equals(use.fingerprint())
                        ? again.apply(first.stands())
                        : Optional.of(otherwise.apply(new Answer.KeyReused())));
    }
}
