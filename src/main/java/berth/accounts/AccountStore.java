package berth.accounts;

import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;

/** Stores accounts. If a write fails, only {@link #all} shows whether it changed anything. */
public interface AccountStore {

    /**
     * An account with the hash of its token. The token itself is not stored.
     *
     * @param tokenHash the hash; empty once the account is deleted, whose name stays taken
     * @param feeds the feeds, oldest first; none once the account is deleted
     */
    record StoredAccount(Account account, Optional<String> tokenHash, List<Feed> feeds) {

        public StoredAccount {
            feeds = List.copyOf(feeds);
        }

        /** Creates an account without feeds. */
        public StoredAccount(Account account, Optional<String> tokenHash) {
            this(account, tokenHash, List.of());
        }

        AccountName name() {
            return account.name();
        }
    }

    /**
     * Returns all accounts that were ever created, in the order of their creation. It waits for writes in progress, so the result includes
     * them.
     */
    List<StoredAccount> all();

    /** Returns the same accounts as recorded now, without waiting for writes in progress. */
    List<StoredAccount> recorded();

    /**
     * Stores a new account.
     *
     * @return {@code false} if an account of that name exists or existed; it is left unchanged
     */
    boolean create(StoredAccount account);

    /**
     * Stores a changed account.
     *
     * @return {@code false} if the stored version is not the one before this; nothing changes then
     */
    boolean update(StoredAccount account);
}
