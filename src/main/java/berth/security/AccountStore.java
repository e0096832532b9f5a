package berth.security;

import java.util.List;

/** Where accounts are kept. */
public interface AccountStore {

    /** An account with the hash of its token: the token itself is not kept. */
    record StoredAccount(Account account, String tokenHash) {}

    List<StoredAccount> all();

    /** Keeps a new account, or the new token of an old one. */
    void save(StoredAccount account);
}
