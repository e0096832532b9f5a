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
    public boolean create(StoredAccount account) {
        return database.write(session -> {
            if (session.get(AccountRow.class, account.account().name()) != null) {
                return false;
            }
            session.insert(AccountRow.of(account, clock.instant()));
            return true;
        });
    }

    @Override
    public void update(StoredAccount account) {
        database.write(
                session -> session.createMutationQuery("update AccountRow set tokenHash = :hash where name = :name")
                        .setParameter("hash", account.tokenHash())
                        .setParameter("name", account.account().name())
                        .executeUpdate());
    }
}
