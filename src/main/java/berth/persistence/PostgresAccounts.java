package berth.persistence;

import berth.security.AccountStore;
import java.time.InstantSource;
import java.util.List;
import org.hibernate.SessionFactory;

/** The accounts in PostgreSQL. */
final class PostgresAccounts implements AccountStore {

    private final SessionFactory sessions;
    private final InstantSource clock;

    PostgresAccounts(SessionFactory sessions, InstantSource clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public List<StoredAccount> all() {
        return sessions.fromStatelessSession(
                session -> session.createSelectionQuery("from AccountRow order by name", AccountRow.class)
                        .getResultStream()
                        .map(AccountRow::toAccount)
                        .toList());
    }

    @Override
    public void save(StoredAccount account) {
        sessions.inStatelessTransaction(session -> session.upsert(AccountRow.of(account, clock.instant())));
    }
}
