package berth.accounts.store;

import berth.accounts.AccountStore;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores accounts in PostgreSQL. */
interface PostgresAccounts extends AccountStore, Repository<AccountRow, String> {

    /** Waits until every open transaction that has written here has ended, whoever began it. */
    @Modifying
    @NativeQuery("lock table account in share mode")
    void awaitWriters();

    @NativeQuery("select * from account order by created_at, name")
    List<AccountRow> findOldestFirst();

    boolean existsById(String name);

    void save(AccountRow row);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    Optional<AccountRow> findByNameAndVersion(String name, int version);

    @Override
    @Transactional
    default List<StoredAccount> all() {
        awaitWriters();
        return recorded();
    }

    @Override
    default List<StoredAccount> recorded() {
        return findOldestFirst().stream().map(AccountRow::toAccount).toList();
    }

    @Override
    @Transactional
    default boolean create(StoredAccount account) {
        if (existsById(account.account().name().value())) {
            return false;
        }
        save(AccountRow.of(account));
        return true;
    }

    @Override
    @Transactional
    default boolean update(StoredAccount account) {
        var known = account.account();
        var row = findByNameAndVersion(known.name().value(), known.version() - 1);
        row.ifPresent(found -> found.become(account));
        return row.isPresent();
    }
}
