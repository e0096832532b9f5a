package berth.persistence;

import berth.desk.Ledger.RecordedKey;
import berth.reservation.ClusterId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.hibernate.StatelessSession;

/** The keys under which a batch was asked for, written by one statement however many they are. */
final class KeysOfABatch {

    /** A key that is too old to count may still be there. */
    private static final String UPSERT = """
            insert into idempotency_key (account, key, fingerprint, cluster, sequence, created_at)
            select used.account, used.key, used.fingerprint, ?, used.sequence, ?
            from unnest(?, ?, ?, ?) as used (account, key, fingerprint, sequence)
            on conflict (account, key) do update set
                fingerprint = excluded.fingerprint, cluster = excluded.cluster, sequence = excluded.sequence,
                created_at = excluded.created_at, stands_for = null
            """;

    private KeysOfABatch() {}

    static void write(StatelessSession session, ClusterId cluster, List<RecordedKey> keys, Instant now) {
        if (!keys.isEmpty()) {
            session.doWork(connection -> write(connection, cluster, keys, now));
        }
    }

    private static void write(Connection connection, ClusterId cluster, List<RecordedKey> keys, Instant now)
            throws SQLException {
        try (var upsert = connection.prepareStatement(UPSERT)) {
            upsert.setString(1, cluster.value());
            upsert.setTimestamp(2, Timestamp.from(now));
            upsert.setArray(
                    3, texts(connection, keys, key -> key.use().account().value()));
            upsert.setArray(4, texts(connection, keys, key -> key.use().key()));
            upsert.setArray(5, texts(connection, keys, key -> key.use().fingerprint()));
            upsert.setArray(
                    6,
                    connection.createArrayOf(
                            "bigint", keys.stream().map(RecordedKey::sequence).toArray()));
            upsert.executeUpdate();
        }
    }

    private static Array texts(Connection connection, List<RecordedKey> keys, Function<RecordedKey, String> text)
            throws SQLException {
        return connection.createArrayOf("text", keys.stream().map(text).toArray());
    }
}
