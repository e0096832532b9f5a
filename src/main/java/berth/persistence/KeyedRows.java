package berth.persistence;

import berth.desk.KeyUse;
import jakarta.persistence.EntityManager;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/** Rows that a client asks for under a key, which is recorded with them. */
interface KeyedRows<R> {

    /** Records one that is new, and the key that asked for it. */
    void insert(R row, UUID id, Optional<KeyUse> key);

    /** Records one as it has become. */
    void update(R row);

    /** The last use of a key, if it counts still and what it asked for is no event. */
    Optional<IdempotencyKeyRow> use(KeyUse key);

    /** Becomes part of repositories by its name. Writes rows as they are, without reading them first. */
    record KeyedRowsImpl<R>(Database database, EntityManager entities, InstantSource clock) implements KeyedRows<R> {

        @Override
        public void insert(R row, UUID id, Optional<KeyUse> key) {
            database.write(session -> {
                session.insert(row);
                // upserts, since a key that is too old to count may still be there
                key.ifPresent(use -> session.upsert(IdempotencyKeyRow.of(use, id, clock.instant())));
                return row;
            });
        }

        @Override
        public void update(R row) {
            database.write(session -> {
                session.update(row);
                return row;
            });
        }

        @Override
        public Optional<IdempotencyKeyRow> use(KeyUse key) {
            var id = new IdempotencyKeyRow.Id(key.account(), key.key());
            return Optional.ofNullable(entities.find(IdempotencyKeyRow.class, id))
                    .filter(row -> row.countsAt(clock.instant()) && row.standsFor != null);
        }
    }
}
