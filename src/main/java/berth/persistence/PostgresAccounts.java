package berth.persistence;

import berth.security.AccountStore;
import java.time.InstantSource;
import java.util.List;
import org.hibernate.LockMode;

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
        return database.write(session -> {
            // granted once no transaction that has written here is open any more, whoever began it
            session.createNativeMutationQuery("lock table account in share mode")
                    .executeUpdate();
            return session.createSelectionQuery("from AccountRow order by createdAt, name", AccountRow.class)
                    .getResultStream()
                    .map(AccountRow::toAccount)
                    .toList();
        });
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
    public boolean update(StoredAccount account) {
        return database.write(session -> {
            var row = session.get(AccountRow.class, account.account().name(), LockMode.PESSIMISTIC_WRITE);
            if (row == null || row.version != account.account().version() - 1) {
                return false;
            }
            row.become(account, clock.instant());
            session.update(row);
            return true;
        });
    }
}
