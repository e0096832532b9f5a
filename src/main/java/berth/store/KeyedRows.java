package berth.store;

import berth.database.Database;
import berth.engine.KeyUse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.StatelessSession;

/** Rows that a client creates with an idempotency key, which is recorded with them. */
public interface KeyedRows<R> {

    /** Inserts a new row and the key of its request. */
    void insert(R row, UUID id, Optional<KeyUse> key);

    /** Inserts likewise, together with other rows in the same transaction. */
    void insert(R row, UUID id, Optional<KeyUse> key, Also also);

    /** Updates a row and records the key of the request. */
    void update(R row, UUID id, Optional<KeyUse> key);

    /** Writes further rows in the same transaction. */
    interface Also {
        void write(Connection connection) throws SQLException;
    }

    /** The implementation, which Spring Data finds by its name. It writes rows without reading them first. */
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

        /** Upserts the key, because an expired one may still be there. */
        private void record(StatelessSession session, UUID id, Optional<KeyUse> key) {
            key.ifPresent(use -> session.upsert(IdempotencyKeyRow.of(use, id, clock.instant())));
        }
    }
}
