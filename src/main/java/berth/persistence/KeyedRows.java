package berth.persistence;

import berth.desk.KeyUse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.StatelessSession;

/** Rows that a client asks for under a key, which is recorded with them. */
interface KeyedRows<R> {

    /** Records one that is new, and the key that asked for it. */
    void insert(R row, UUID id, Optional<KeyUse> key);

    /** The same, and in the same transaction what else belongs to it. */
    void insert(R row, UUID id, Optional<KeyUse> key, Also also);

    /** Records one as it has become, and the key that asked for it. */
    void update(R row, UUID id, Optional<KeyUse> key);

    /** What is written with a row. */
    interface Also {
        void write(Connection connection) throws SQLException;
    }

    /** Becomes part of repositories by its name. Writes rows as they are, without reading them first. */
    record KeyedRowsImpl<R>(Database database, InstantSource clock) implements KeyedRows<R> {

        @Override
        public void insert(R row, UUID id, Optional<KeyUse> key) {
            insert(row, id, key, _ -> {});
        }

        @Override
        public void insert(R row, UUID id, Optional<KeyUse> key, Also also) {
            database.write(session -> {
                session.insert(row);
                record(session, id, key);
                session.doWork(also::write);
                return row;
            });
        }

        @Override
        public void update(R row, UUID id, Optional<KeyUse> key) {
            database.write(session -> {
                session.update(row);
                record(session, id, key);
                return row;
            });
        }

        /** Upserts, since a key that is too old to count may still be there. */
        private void record(StatelessSession session, UUID id, Optional<KeyUse> key) {
            key.ifPresent(use -> session.upsert(IdempotencyKeyRow.of(use, id, clock.instant())));
        }
    }
}
