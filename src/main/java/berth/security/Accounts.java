package berth.security;

import berth.security.AccountStore.StoredAccount;
import berth.sla.AccountName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * All accounts, by their names and tokens. One process writes, so what is in memory is the truth, and reading it never
 * waits. A change is written to the store first and counts in memory once it is there. Where a write fails, the store is
 * asked what it has come to: at once, before the next change, and by the clock, until it answers. Safe to use from any
 * thread.
 */
public final class Accounts {

    private static final SecureRandom random = new SecureRandom();

    private final AccountStore store;

    /** Also those that were deleted. */
    private final Map<AccountName, StoredAccount> byName = new ConcurrentHashMap<>();

    /** May name accounts that have another token by now. */
    private final Map<String, AccountName> nameByTokenHash = new ConcurrentHashMap<>();

    /** May name accounts that have that feed no longer. */
    private final Map<String, AccountName> nameByFeedHash = new ConcurrentHashMap<>();

    /** In the order of creation. */
    private volatile PVector<AccountName> names = TreePVector.empty();

    private volatile boolean inDoubt;

    public Accounts(AccountStore store) {
        this.store = store;
        look();
    }

    /** What became of a change to an account. */
    public sealed interface Outcome {
        /** Done, durably: the account as it is now, or was last. */
        record Done(Account account) implements Outcome {}

        /** There is no such account, or no more, or it is not the business of whoever asks. */
        record NoAccount() implements Outcome {}

        /** The account is in another version than was expected. */
        record Stale(Account account) implements Outcome {}

        /** Whoever asks is no administrator any more. */
        record NotAllowed() implements Outcome {}

        /** An administrator would take its own rights, so that none might be left. */
        record OwnRights() implements Outcome {}

        /** Whoever asks is no administrator, and may change how long ahead it is told, but nothing else. */
        record OwnLeadsAlone() implements Outcome {}
    }

    /** What became of the wish for a feed. */
    public sealed interface Asked {
        /** It is there, durably. */
        record Made(Feed feed) implements Asked {}

        /** There is no such account, or it is not the business of whoever asks. */
        record NoAccount() implements Asked {}

        /** The account has no reservations that a feed could tell of. */
        record NothingToTell(Role role) implements Asked {}

        /** It has as many as it may have. */
        record Enough() implements Asked {}

        /** Others change the account all the time. */
        record Busy() implements Asked {}
    }

    /** A feed and whose it is. */
    public record Opened(Account account, Feed feed) {}

    /** Whose token it is. */
    public Optional<Account> byToken(String token) {
        var hash = Optional.of(hash(token));
        return hash.map(nameByTokenHash::get)
                .map(byName::get)
                .filter(stored -> stored.tokenHash().equals(hash))
                .map(StoredAccount::account);
    }

    /**
     * The feed with a secret of this hash, as long as its account may see what it tells. Looks it up in memory alone, so that a
     * guess costs next to nothing.
     */
    public Optional<Opened> byFeed(String secretHash) {
        return Optional.ofNullable(nameByFeedHash.get(secretHash))
                .flatMap(this::present)
                .flatMap(stored -> stored.feeds().stream()
                        .filter(feed -> feed.secretHash().equals(secretHash)
                                && stored.account().hasReservations())
                        .map(feed -> new Opened(stored.account(), feed))
                        .findAny());
    }

    /** The feeds of an account, oldest first; empty if there is no such account, or it is not the business of whoever asks. */
    public Optional<List<Feed>> feeds(AccountName name, Account by) {
        return concerned(name, by).map(StoredAccount::feeds);
    }

    private Optional<StoredAccount> concerned(AccountName name, Account by) {
        // as it is now: it may have changed since it was let in
        return present(name)
                .filter(_ ->
                        find(by.name()).filter(caller -> caller.mayAccess(name)).isPresent());
    }

    /**
     * Gives an account a feed.
     *
     * @param by who asks
     */
    public synchronized Asked addFeed(AccountName name, Account by, Feed feed) {
        settle();
        var before = concerned(name, by);
        if (before.isEmpty()) {
            return new Asked.NoAccount();
        }
        var stored = before.get();
        if (!stored.account().hasReservations()) {
            return new Asked.NothingToTell(stored.account().role());
        }
        if (stored.feeds().size() >= Feed.MAX) {
            return new Asked.Enough();
        }
        var feeds = Stream.concat(stored.feeds().stream(), Stream.of(feed)).toList();
        return keep(next(new StoredAccount(stored.account(), stored.tokenHash(), feeds)), store::update)
                ? new Asked.Made(feed)
                : new Asked.Busy();
    }

    /** What became of a feed that was to be revoked. */
    public enum Revoked {
        DONE,
        /** There is no such feed, or it is not the business of whoever asks. */
        NO_FEED,
        /** Others change the account all the time. */
        BUSY
    }

    /**
     * Takes a feed back: its URL opens nothing any more.
     *
     * @param by who asks
     */
    public synchronized Revoked removeFeed(AccountName name, Account by, UUID id) {
        settle();
        var before = concerned(name, by)
                .filter(stored ->
                        stored.feeds().stream().anyMatch(feed -> feed.id().equals(id)));
        if (before.isEmpty()) {
            return Revoked.NO_FEED;
        }
        var stored = before.get();
        var feeds =
                stored.feeds().stream().filter(feed -> !feed.id().equals(id)).toList();
        return keep(next(new StoredAccount(stored.account(), stored.tokenHash(), feeds)), store::update)
                ? Revoked.DONE
                : Revoked.BUSY;
    }

    public Optional<Account> find(AccountName name) {
        return present(name).map(StoredAccount::account);
    }

    /** Those that want to be told ahead of starts and ends. */
    public List<Account> askingAhead() {
        return byName.values().stream()
                .filter(stored -> stored.tokenHash().isPresent())
                .map(StoredAccount::account)
                .filter(account -> !account.leads().isEmpty())
                .toList();
    }

    /** Whether there is, or ever was, an account of that name. */
    boolean isTaken(AccountName name) {
        return byName.containsKey(name);
    }

    private Optional<StoredAccount> present(AccountName name) {
        return Optional.ofNullable(byName.get(name))
                .filter(stored -> stored.tokenHash().isPresent());
    }

    /**
     * Accounts, newest first.
     *
     * @param after the last one that was seen, which may have been deleted since; empty: none
     * @param limit how many at most
     * @return empty if there never was an account {@code after}
     */
    public Optional<List<Account>> list(Optional<AccountName> after, int limit) {
        if (after.isPresent() && !isTaken(after.get())) {
            return Optional.empty();
        }
        var newestFirst = names.reversed();
        int first = after.map(name -> newestFirst.indexOf(name) + 1).orElse(0);
        return Optional.of(newestFirst.stream()
                .skip(first)
                .flatMap(name -> find(name).stream())
                .limit(limit)
                .toList());
    }

    /**
     * Adds an account with a new token.
     *
     * @return the token, which is told only now; empty if there is or was an account of that name
     */
    public Optional<String> create(Account account) {
        var token = newToken();
        return create(account, token) ? Optional.of(token) : Optional.empty();
    }

    /** Adds an account with this token; {@code false} if there is or was one of that name. */
    synchronized boolean create(Account account, String token) {
        settle();
        return !isTaken(account.name()) && keep(new StoredAccount(account, Optional.of(hash(token))), store::create);
    }

    /**
     * Changes an account.
     *
     * @param by who asks: an administrator, or the account itself, which may change its leads
     * @param versions which versions of the account may be changed
     * @param change the account as it shall be; its version is not looked at. What this throws is passed on
     */
    public synchronized Outcome change(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<Account> change) {
        UnaryOperator<StoredAccount> become = stored -> {
            int version = stored.account().version();
            return new StoredAccount(
                    change.apply(stored.account()).withVersion(version), stored.tokenHash(), stored.feeds());
        };
        return by.role() == Role.ADMIN ? become(name, by, versions, become) : changeOwn(name, by, versions, become);
    }

    private Outcome changeOwn(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<StoredAccount> change) {
        settle();
        var before = concerned(name, by);
        if (before.isEmpty()) {
            return new Outcome.NoAccount();
        }
        var account = before.get().account();
        if (!versions.test(account.version())) {
            return new Outcome.Stale(account);
        }
        var after = change.apply(before.get());
        return after.account().equals(account.withLeads(after.account().leads()))
                ? keepChange(before.get(), after)
                : new Outcome.OwnLeadsAlone();
    }

    /**
     * Deletes an account: its token opens nothing any more, its reservations stay, and nobody can have its name again.
     *
     * @param by who asks
     * @param versions which versions of the account may be deleted
     */
    public synchronized Outcome delete(AccountName name, Account by, IntPredicate versions) {
        return become(name, by, versions, stored -> new StoredAccount(stored.account(), Optional.empty()));
    }

    /**
     * Gives an account this token and no other.
     *
     * @param by who asks
     * @param versions which versions of the account may be given one
     * @param token made by {@link #newToken}
     */
    public synchronized Outcome replaceToken(AccountName name, Account by, IntPredicate versions, String token) {
        return become(
                name,
                by,
                versions,
                stored -> new StoredAccount(stored.account(), Optional.of(hash(token)), stored.feeds()));
    }

    private Outcome become(AccountName name, Account by, IntPredicate versions, UnaryOperator<StoredAccount> change) {
        settle();
        // checked here, where changes come one after another: two administrators that delete each other leave one
        if (find(by.name()).filter(caller -> caller.role() == Role.ADMIN).isEmpty()) {
            return new Outcome.NotAllowed();
        }
        var before = present(name);
        if (before.isEmpty()) {
            return new Outcome.NoAccount();
        }
        var account = before.get().account();
        if (!versions.test(account.version())) {
            return new Outcome.Stale(account);
        }
        var after = change.apply(before.get());
        boolean administers = after.tokenHash().isPresent() && after.account().role() == Role.ADMIN;
        if (by.name().equals(name) && !administers) {
            return new Outcome.OwnRights();
        }
        return keepChange(before.get(), after);
    }

    private Outcome keepChange(StoredAccount before, StoredAccount after) {
        if (after.equals(before)) {
            return new Outcome.Done(before.account());
        }
        var next = next(after);
        return keep(next, store::update)
                ? new Outcome.Done(next.account())
                : find(before.name()).<Outcome>map(Outcome.Stale::new).orElseGet(Outcome.NoAccount::new);
    }

    /** Sees to it that there is this account, in its role and with this token, whatever became of it before. */
    synchronized void restore(Account account, String token) {
        if (create(account, token)) {
            return;
        }
        var before = Objects.requireNonNull(byName.get(account.name()));
        var after =
                new StoredAccount(before.account().withRole(account.role()), Optional.of(hash(token)), before.feeds());
        if (!after.equals(before) && !keep(next(after), store::update)) {
            throw new IllegalStateException("Another process has changed the account %s.".formatted(account.name()));
        }
    }

    private static StoredAccount next(StoredAccount changed) {
        var account = changed.account();
        return new StoredAccount(account.withVersion(account.version() + 1), changed.tokenHash(), changed.feeds());
    }

    /**
     * Writes an account.
     *
     * @return whether it is kept; {@code false} if the store knew better, and by now memory knows as much
     * @throws RuntimeException of the store, if nothing is kept, or if that cannot be told yet
     */
    private boolean keep(StoredAccount account, Predicate<StoredAccount> write) {
        inDoubt = true;
        try {
            if (write.test(account)) {
                remember(account);
                inDoubt = false;
                return true;
            }
        } catch (RuntimeException e) {
            settle();
            if (account.equals(byName.get(account.name()))) {
                return true;
            }
            throw e;
        }
        settle();
        return false;
    }

    /**
     * Finds out what became of a write that failed, if one did.
     *
     * @throws RuntimeException of the store, if it does not answer; what it holds may be ahead of memory until it does
     */
    synchronized void settle() {
        if (inDoubt) {
            store.all().forEach(this::remember);
            inDoubt = false;
        }
    }

    /** Reads all accounts again, which another process has changed until now. */
    public synchronized void reread() {
        inDoubt = true;
        settle();
    }

    /** Reads all accounts again, which another process changes. */
    public synchronized void look() {
        store.recorded().forEach(this::remember);
    }

    private void remember(StoredAccount account) {
        account.tokenHash().ifPresent(hash -> nameByTokenHash.put(hash, account.name()));
        account.feeds().forEach(feed -> nameByFeedHash.put(feed.secretHash(), account.name()));
        var before = byName.put(account.name(), account);
        if (before == null) {
            names = names.plus(account.name());
        } else if (!before.tokenHash().equals(account.tokenHash())) {
            before.tokenHash().ifPresent(nameByTokenHash::remove);
        }
        if (before != null) {
            before.feeds().stream()
                    .filter(feed -> !account.feeds().contains(feed))
                    .map(Feed::secretHash)
                    .forEach(nameByFeedHash::remove);
        }
    }

    /** A token that nobody can guess: 256 random bits. */
    public static String newToken() {
        return newSecret("berth_");
    }

    /** The secret of a feed that nobody can guess: 256 random bits. */
    public static String newFeedSecret() {
        return newSecret(Feed.PREFIX);
    }

    private static String newSecret(String prefix) {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What is kept of a token or a secret. */
    public static String hash(String token) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
