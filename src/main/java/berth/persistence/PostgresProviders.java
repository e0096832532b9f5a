package berth.persistence;

import berth.broker.Provider;
import berth.broker.ProviderStore;
import java.util.List;
import java.util.UUID;

/** The clusters of other Berths in PostgreSQL. */
final class PostgresProviders implements ProviderStore {

    private final Database database;

    PostgresProviders(Database database) {
        this.database = database;
    }

    @Override
    public UUID instance() {
        return database.read(session -> session.createNativeQuery("select id from installation", UUID.class)
                .getSingleResult());
    }

    @Override
    public List<Provider> all() {
        return database.read(session -> session.createSelectionQuery("from ProviderRow order by id", ProviderRow.class)
                .getResultStream()
                .map(ProviderRow::toProvider)
                .toList());
    }

    @Override
    public void put(Provider provider) {
        database.write(session -> {
            session.upsert(ProviderRow.of(provider));
            return provider;
        });
    }

    @Override
    public void remove(String id) {
        database.write(session -> session.createMutationQuery("delete from ProviderRow where id = :id")
                .setParameter("id", id)
                .executeUpdate());
    }
}
