package berth.persistence;

import berth.broker.Provider;
import berth.broker.ProviderStore;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The clusters of other Berths in PostgreSQL. */
interface PostgresProviders extends ProviderStore, Repository<ProviderRow, String> {

    @Override
    @NativeQuery("select id from installation")
    UUID instance();

    List<ProviderRow> findByOrderById();

    @Transactional
    void save(ProviderRow row);

    @Override
    @Transactional
    @Modifying
    @Query("delete from ProviderRow where id = :id")
    void remove(String id);

    @Override
    default List<Provider> all() {
        return findByOrderById().stream().map(ProviderRow::toProvider).toList();
    }

    @Override
    default void put(Provider provider) {
        save(ProviderRow.of(provider));
    }
}
