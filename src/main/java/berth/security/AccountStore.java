package berth.security;

import java.util.List;

/** Where accounts are kept. */
public interface AccountStore {

    /** An account with the hash of its token: the token itself is not kept. */
    record StoredAccount(Account account, String tokenHash) {}

    List<StoredAccount> all();

    /**
     * Keeps a new account.
     *
     * @return whether it is new: {@code false} if there is one of that name, which is left as it is
     */
    boolean create(StoredAccount account);

    /** Keeps the new token of an account that is there. */
    void update(StoredAccount account);
}
