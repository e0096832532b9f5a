package berth.security;

import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;

/** Where accounts are kept. Whether a write that fails has changed anything is not known before {@link #all} tells. */
public interface AccountStore {

    /**
     * An account with the hash of its token: the token itself is not kept.
     *
     * @param tokenHash empty once the account is deleted; its name stays taken
     * @param feeds oldest first; none once the account is deleted
     */
    record StoredAccount(Account account, Optional<String> tokenHash, List<Feed> feeds) {

        public StoredAccount {
            feeds = List.copyOf(feeds);
        }

        /** One without feeds. */
        public StoredAccount(Account account, Optional<String> tokenHash) {
            this(account, tokenHash, List.of());
        }

        AccountName name() {
            return account.name();
        }
    }

    /**
     * All accounts there ever were, in the order of their creation. Waits for writes that are still under way, so that
     * what it answers is what they have come to.
     */
    List<StoredAccount> all();

    /** The same as they are recorded at present: writes that are still under way are not waited for. */
    List<StoredAccount> recorded();

    /**
     * Keeps a new account.
     *
     * @return whether it is new: {@code false} if there was one of that name before, which is left as it is
     */
    boolean create(StoredAccount account);

    /**
     * Keeps an account as it has become.
     *
     * @return whether it was in the version before this one: {@code false} if not, and nothing has changed
     */
    boolean update(StoredAccount account);
}
