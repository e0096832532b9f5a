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
     * Adds an account.
     *
     * @return its token, which is told only now; empty if there is an account of that name
     */
    public synchronized Optional<String> create(Account account) {
        if (find(account.name()).isPresent()) {
            return Optional.empty();
        }
        var token = newToken();
        setToken(account, token);
        return Optional.of(token);
    }

    /** Keeps the account with this token and no other. */
    public synchronized void setToken(Account account, String token) {
        var hash = hash(token);
        store.save(new StoredAccount(account, hash));
        byTokenHash.values().removeIf(other -> other.name().equals(account.name()));
        byTokenHash.put(hash, account);
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
