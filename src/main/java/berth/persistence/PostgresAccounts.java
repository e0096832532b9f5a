package berth.persistence;

import berth.security.AccountStore;
import java.time.InstantSource;
import java.util.List;

/** The accounts in PostgreSQL. */
final class PostgresAccounts implements AccountStore {

    private final Database database;
    private final InstantSource clock;

    PostgresAccounts(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public List<StoredAccount> all() {
        return database.read(session -> session.createSelectionQuery("from AccountRow order by name", AccountRow.class)
                .getResultStream()
                .map(AccountRow::toAccount)
                .toList());
    }

    @Override
    public void save(StoredAccount account) {
        database.write(session -> {
            session.upsert(AccountRow.of(account, clock.instant()));
            return account;
        });
    }
}
