package berth.security;

import berth.security.AccountStore.StoredAccount;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All accounts, by their tokens. One process writes, so what is in memory is the truth; the store is read once. Safe to
 * use from any thread.
 */
public final class Accounts {

    private static final SecureRandom random = new SecureRandom();

    private final AccountStore store;
    private final Map<String, Account> byTokenHash = new ConcurrentHashMap<>();

    public Accounts(AccountStore store) {
        this.store = store;
        store.all().forEach(stored -> byTokenHash.put(stored.tokenHash(), stored.account()));
    }

    /** Whose token it is. */
    public Optional<Account> byToken(String token) {
        return Optional.ofNullable(byTokenHash.get(hash(token)));
    }

    public Optional<Account> find(String name) {
        return byTokenHash.values().stream()
                .filter(account -> account.name().equals(name))
                .findAny();
    }

    /**
     * Adds an account with a new token.
     *
     * @return the token, which is told only now; empty if there is an account of that name
     */
    public synchronized Optional<String> create(Account account) {
        var token = newToken();
        return create(account, token) ? Optional.of(token) : Optional.empty();
    }

    /** Adds an account with this token; {@code false} if there is one of that name. */
    synchronized boolean create(Account account, String token) {
        var stored = new StoredAccount(account, hash(token));
        if (find(account.name()).isPresent()) {
            return false;
        }
        if (!store.create(stored)) {
            if (!isOrphan(account)) {
                return false;
            }
            store.update(stored);
        }
        byTokenHash.put(stored.tokenHash(), account);
        return true;
    }

    /** Whether this very account was stored before, by a call whose answer was lost: nobody has its token. */
    private boolean isOrphan(Account account) {
        return store.all().stream().anyMatch(stored -> stored.account().equals(account));
    }

    /** Gives an account that is there this token and no other. */
    synchronized void replaceToken(Account account, String token) {
        var stored = new StoredAccount(account, hash(token));
        store.update(stored);
        byTokenHash.values().removeIf(other -> other.name().equals(account.name()));
        byTokenHash.put(stored.tokenHash(), account);
    }

    /** A token that nobody can guess: 256 random bits. */
    static String newToken() {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return "berth_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hash(String token) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
