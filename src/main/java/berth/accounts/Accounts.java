package berth.accounts;

import berth.accounts.AccountStore.StoredAccount;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.sla.AccountName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * All accounts, by name and token. Only one process writes, so memory holds the current state and reading never waits. A change is written
 * to the store first and takes effect in memory afterwards. If a write fails, this class asks the store for the result: at once, before the
 * next change, and periodically until the store answers. Thread-safe.
 */
public final class Accounts {

    private static final SecureRandom random = new SecureRandom();

    private static final Refusal NOT_YOURS = new Refusal.NotYours("account");

    private final AccountStore store;

    /** Includes deleted accounts. */
    private final Map<AccountName, StoredAccount> byName = new ConcurrentHashMap<>();

    /** May contain accounts that have another token now. */
    private final Map<String, AccountName> nameByTokenHash = new ConcurrentHashMap<>();

    /** May contain accounts that no longer have that feed. */
    private final Map<String, AccountName> nameByFeedHash = new ConcurrentHashMap<>();

    /** In the order of creation. */
    private volatile PVector<AccountName> names = TreePVector.empty();

    private volatile boolean inDoubt;
    private volatile LeadsRule leads = (_, _, write) -> write.get();

    public Accounts(AccountStore store) {
        this.store = store;
        refresh();
    }

    /** Decides which leads accounts may ask for. */
    public interface LeadsRule {

        /**
         * Writes a new or changed account, unless it asks for leads that it may not have. What else the decision depends on does not change
         * until the account is written.
         *
         * @param before the account before the change; a new account as it would be without leads
         * @param write writes the account
         */
        Outcome<Account, Refusal> admit(Account before, Account after, Supplier<Outcome<Account, Refusal>> write);
    }

    /** Sets the rule on leads; there is none before. */
    public void limitLeads(LeadsRule rule) {
        leads = rule;
    }

    /** A feed and its account. */
    public record Opened(Account account, Feed feed) {}

    /** Returns the account with that token. */
    public Optional<Account> byToken(String token) {
        var hash = Optional.of(hash(token));
        return hash.map(nameByTokenHash::get)
                .map(byName::get)
                .filter(stored -> stored.tokenHash().equals(hash))
                .map(StoredAccount::account);
    }

    /**
     * Returns the feed whose secret has this hash, if its account may still see the feed's content. The search uses only memory, so
     * guessing secrets costs the service almost nothing.
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

    /** Returns the feeds of an account, oldest first; empty if the account does not exist or the caller may not see it. */
    public Optional<List<Feed>> feeds(AccountName name, Account by) {
        return concerned(name, by).map(StoredAccount::feeds);
    }

    private Optional<StoredAccount> concerned(AccountName name, Account by) {
        // the current account: it may have changed since the call was admitted
        return present(name)
                .filter(_ ->
                        find(by.name()).filter(caller -> caller.mayAccess(name)).isPresent());
    }

    /**
     * Adds a feed to an account.
     *
     * @param by the caller
     */
    public synchronized Outcome<Feed, Refusal> addFeed(AccountName name, Account by, Feed feed) {
        resolve();
        var before = concerned(name, by);
        if (before.isEmpty()) {
            return new Outcome.NotDone<>(NOT_YOURS);
        }
        var stored = before.get();
        if (!stored.account().hasReservations()) {
            return new Outcome.NotDone<>(new Refusal.WrongState(
                    "An account with the role %s has no reservations for a feed. Make the feed for another account."
                            .formatted(stored.account().role())));
        }
        if (stored.feeds().size() >= Feed.MAX) {
            return new Outcome.NotDone<>(new Refusal.Enough(
                    "An account can have at most %d feeds. Revoke one that is no longer read.".formatted(Feed.MAX)));
        }
        var feeds = Stream.concat(stored.feeds().stream(), Stream.of(feed)).toList();
        return keep(next(new StoredAccount(stored.account(), stored.tokenHash(), feeds)), store::update)
                ? new Outcome.Done<>(feed)
                : new Outcome.NotDone<>(new Refusal.Busy());
    }

    /** The result of revoking a feed. */
    public enum Revoked {
        DONE,
        /** The feed does not exist, or the caller may not see it. */
        NO_FEED,
        /** Another process changed the account at the same time. */
        BUSY
    }

    /**
     * Revokes a feed, so that its URL no longer works.
     *
     * @param by the caller
     */
    public synchronized Revoked removeFeed(AccountName name, Account by, UUID id) {
        resolve();
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

    /** Returns the accounts that want announcements of starts and ends. */
    public List<Account> askingAhead() {
        return byName.values().stream()
                .filter(stored -> stored.tokenHash().isPresent())
                .map(StoredAccount::account)
                .filter(account -> !account.leads().isEmpty())
                .toList();
    }

    /** Whether an account of that name exists or existed. */
    boolean isTaken(AccountName name) {
        return byName.containsKey(name);
    }

    private Optional<StoredAccount> present(AccountName name) {
        return Optional.ofNullable(byName.get(name))
                .filter(stored -> stored.tokenHash().isPresent());
    }

    /**
     * Returns accounts, newest first.
     *
     * @param after the last account of the previous page, which may have been deleted since; empty for the first page
     * @param limit the most accounts to return
     * @return empty if an account {@code after} never existed
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

    /** Creates an account and returns its new token, which is not shown again. */
    public synchronized Outcome<String, Refusal> create(Account account) {
        var token = newToken();
        var taken = new Refusal.Exists(
                "name",
                account.name().value(),
                "An account has or had this name. Choose another name. If the account exists and you never received its token, request a new token for it.");
        return leads.admit(account.withLeads(Set.of()), account, () -> {
                    if (!create(account, token)) {
                        return new Outcome.NotDone<>(taken);
                    }
                    UnlimitedAccounts.tell(List.of(account));
                    return new Outcome.Done<>(account);
                })
                .map(_ -> token);
    }

    /** Creates an account with this token; returns {@code false} if an account of that name exists or existed. */
    synchronized boolean create(Account account, String token) {
        resolve();
        return !isTaken(account.name()) && keep(new StoredAccount(account, Optional.of(hash(token))), store::create);
    }

    /**
     * Changes an account.
     *
     * @param by the caller: an administrator, or the account itself, which may change its leads
     * @param versions the versions of the account that may be changed
     * @param change returns the changed account; its version is ignored. Exceptions from it are passed on
     */
    public synchronized Outcome<Account, Refusal> change(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<Account> change) {
        UnaryOperator<StoredAccount> become = stored -> {
            int version = stored.account().version();
            return new StoredAccount(
                    change.apply(stored.account()).withVersion(version), stored.tokenHash(), stored.feeds());
        };
        return by.role() == Role.ADMIN ? become(name, by, versions, become) : changeOwn(name, by, versions, become);
    }

    /**
     * Gives the account of a person the name and the role that a token of the issuer says. If that changes nothing, this method reads only
     * memory.
     *
     * @return the account; empty if it has been deleted
     * @throws SignInUnavailable if another process has changed the account
     * @throws RuntimeException of the store, if the result is not known yet
     */
    public Optional<Account> follow(Person person, IssuerSettings settings) {
        var role = settings.role(person.groups());
        UnaryOperator<Account> change = account ->
                person.name().map(account::withDisplayName).orElse(account).withRoleOfGroups(role);
        var present = find(person.account());
        return present.map(change).equals(present) ? present : followNow(person.account(), change);
    }

    private synchronized Optional<Account> followNow(AccountName name, UnaryOperator<Account> change) {
        resolve();
        return present(name).map(before -> {
            var after = new StoredAccount(change.apply(before.account()), before.tokenHash(), before.feeds());
            return switch (keepChange(before, after, NOT_YOURS)) {
                case Outcome.Done(var account) -> account;
                case Outcome.NotDone<Account, Refusal> _ ->
                    throw new SignInUnavailable(
                            "Another process has just changed the account of the token. Try again in a moment.",
                            Duration.ofSeconds(1));
            };
        });
    }

    /** Returns the number of accounts that exist or existed. */
    int size() {
        return names.size();
    }

    private Outcome<Account, Refusal> changeOwn(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<StoredAccount> change) {
        resolve();
        var before = concerned(name, by);
        if (before.isEmpty()) {
            return new Outcome.NotDone<>(NOT_YOURS);
        }
        var account = before.get().account();
        if (!versions.test(account.version())) {
            return new Outcome.NotDone<>(new Refusal.Stale(account.version()));
        }
        var after = change.apply(before.get());
        return after.account().equals(account.withLeads(after.account().leads()))
                ? keepChange(before.get(), after, NOT_YOURS)
                : new Outcome.NotDone<>(
                        new Refusal.NotAllowed(
                                "You may change only the leads of your own account. Ask an administrator for any other change."));
    }

    /**
     * Deletes an account. Its token stops working, its reservations remain, and its name stays taken.
     *
     * @param by the caller
     * @param versions the versions of the account that may be deleted
     */
    public synchronized Outcome<Account, Refusal> delete(AccountName name, Account by, IntPredicate versions) {
        return become(name, by, versions, stored -> new StoredAccount(stored.account(), Optional.empty()));
    }

    /**
     * Replaces the token of an account.
     *
     * @param by the caller
     * @param versions the versions of the account whose token may be replaced
     * @param token a token from {@link #newToken}
     */
    public synchronized Outcome<Account, Refusal> replaceToken(
            AccountName name, Account by, IntPredicate versions, String token) {
        return become(
                name,
                by,
                versions,
                stored -> new StoredAccount(stored.account(), Optional.of(hash(token)), stored.feeds()));
    }

    private Outcome<Account, Refusal> become(
            AccountName name, Account by, IntPredicate versions, UnaryOperator<StoredAccount> change) {
        resolve();
        // checked here, under the lock, so that two administrators who delete each other leave one
        if (find(by.name()).filter(caller -> caller.role() == Role.ADMIN).isEmpty()) {
            return new Outcome.NotDone<>(new Refusal.NotAllowed(
                    "This account is no longer an administrator. Use the token of an administrator."));
        }
        var before = present(name);
        var none = new Refusal.NotFound("account", name.value());
        if (before.isEmpty()) {
            return new Outcome.NotDone<>(none);
        }
        var account = before.get().account();
        if (!versions.test(account.version())) {
            return new Outcome.NotDone<>(new Refusal.Stale(account.version()));
        }
        var after = change.apply(before.get());
        boolean administers = after.tokenHash().isPresent() && after.account().role() == Role.ADMIN;
        if (by.name().equals(name) && !administers) {
            return new Outcome.NotDone<>(
                    new Refusal.WrongState(
                            "Administrators cannot delete themselves or give up their role. Ask another administrator to do it."));
        }
        return keepChange(before.get(), after, none);
    }

    /** Writes a change; {@code gone} is the refusal if another process has deleted the account. */
    private Outcome<Account, Refusal> keepChange(StoredAccount before, StoredAccount after, Refusal gone) {
        if (after.equals(before)) {
            return new Outcome.Done<>(before.account());
        }
        var next = next(after);
        Supplier<Outcome<Account, Refusal>> write = () -> keep(next, store::update)
                ? new Outcome.Done<>(next.account())
                : new Outcome.NotDone<>(find(before.name())
                        .<Refusal>map(present -> new Refusal.Stale(present.version()))
                        .orElse(gone));
        return after.account().equals(before.account())
                ? write.get()
                : leads.admit(before.account(), after.account(), write);
    }

    /**
     * Creates or restores the account with its role and this token, whatever happened to it before.
     *
     * @return whether the account had another token, or none
     */
    synchronized boolean restore(Account account, String token) {
        if (create(account, token)) {
            return false;
        }
        var before = Objects.requireNonNull(byName.get(account.name()));
        var after =
                new StoredAccount(before.account().withRole(account.role()), Optional.of(hash(token)), before.feeds());
        if (!after.equals(before) && !keep(next(after), store::update)) {
            throw new IllegalStateException("Another process has changed the account %s.".formatted(account.name()));
        }
        return !before.tokenHash().equals(after.tokenHash());
    }

    private static StoredAccount next(StoredAccount changed) {
        var account = changed.account();
        return new StoredAccount(account.withVersion(account.version() + 1), changed.tokenHash(), changed.feeds());
    }

    /**
     * Writes an account.
     *
     * @return {@code false} if the store holds another version, which memory now holds too
     * @throws RuntimeException of the store, if nothing was stored or the result is not known yet
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
            resolve();
            if (account.equals(byName.get(account.name()))) {
                return true;
            }
            throw e;
        }
        resolve();
        return false;
    }

    /**
     * Finds out the result of a failed write, if there was one.
     *
     * @throws RuntimeException of the store, if it does not answer; until it does, it may hold newer accounts than memory
     */
    public synchronized void resolve() {
        if (inDoubt) {
            store.all().forEach(this::remember);
            inDoubt = false;
        }
    }

    /** Reads all accounts again, because another process wrote them until now. */
    public synchronized void reread() {
        inDoubt = true;
        resolve();
    }

    /** Reads all accounts again while another process writes them. */
    public synchronized void refresh() {
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

    /** Returns a new token of 256 random bits. */
    public static String newToken() {
        return newSecret("berth_");
    }

    /** Returns a new feed secret of 256 random bits. */
    public static String newFeedSecret() {
        return newSecret(Feed.PREFIX);
    }

    private static String newSecret(String prefix) {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the hash under which a token or a secret is stored. */
    public static String hash(String token) {
        return hash(token.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the SHA-256 of some bytes, in hexadecimal digits. */
    public static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
