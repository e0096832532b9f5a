package berth.store;

import berth.cluster.Cluster;
import berth.database.Durability;
import berth.database.Sql;
import berth.engine.KeyUse;
import berth.engine.Ledger.Batch;
import berth.reservation.ClusterId;
import berth.store.JournalFormat.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of the journal: one for each batch of a cluster, in the order of its sequence. Written once (ADR 29). */
public final class Journal {

    /** One statement, so that it takes one round trip including its commit. */
    private static final String APPEND = """
            with moved as (
                update head set sequence = ? where cluster = ? and sequence = ? and epoch = ? and %s
                returning cluster, epoch
            )
            insert into journal (cluster, first_sequence, last_sequence, epoch, at, format, entry)
            select cluster, ?, ?, epoch, ?, ?, ? from moved
            """.formatted(Durability.HOLDS);

    private static final String FIRST = """
            insert into journal (cluster, first_sequence, last_sequence, epoch, at, format, entry)
            values (?, 0, 0, 0, ?, ?, ?)
            """;

    private static final String AFTER = """
            select first_sequence, last_sequence, at, format, entry from journal
            where cluster = ? and last_sequence > ? order by last_sequence limit ?
            """;

    private Journal() {}

    /**
     * A row.
     *
     * @param first the sequence of its first event
     * @param last the sequence of its last event
     * @param at when it was written
     */
    public record Row(long first, long last, Instant at, Entry entry) {}

    /**
     * Records a batch if the cluster has the batch's sequence and epoch and the server is durable; returns whether it did.
     *
     * @param copies on how many servers' disks it must be
     */
    static boolean append(Connection connection, Batch batch, int copies, Instant now) throws SQLException {
        try (var statement = connection.prepareStatement(APPEND)) {
            statement.setLong(1, batch.lastSequence());
            statement.setString(2, batch.cluster().value());
            statement.setLong(3, batch.sequence());
            statement.setLong(4, batch.epoch());
            statement.setInt(5, copies);
            statement.setLong(6, batch.sequence() + 1);
            statement.setLong(7, batch.lastSequence());
            statement.setTimestamp(8, Timestamp.from(now));
            statement.setShort(9, JournalFormat.NUMBER);
            statement.setBytes(10, JournalFormat.write(Entry.of(batch)));
            boolean isRecorded = statement.executeUpdate() == 1;
            Sql.requireNoWarning(statement.getWarnings());
            return isRecorded;
        }
    }

    /** Records the creation of a cluster. */
    static Row create(Connection connection, Cluster cluster, Optional<KeyUse> key, Instant now) throws SQLException {
        var entry = Entry.of(cluster, key);
        try (var statement = connection.prepareStatement(FIRST)) {
            statement.setString(1, cluster.id().value());
            statement.setTimestamp(2, Timestamp.from(now));
            statement.setShort(3, JournalFormat.NUMBER);
            statement.setBytes(4, JournalFormat.write(entry));
            statement.executeUpdate();
        }
        return new Row(0, 0, now, entry);
    }

    /** Returns the next rows of a cluster after a sequence, in order. */
    public static List<Row> after(Connection connection, ClusterId cluster, long sequence, int limit)
            throws SQLException {
        try (var statement = connection.prepareStatement(AFTER)) {
            statement.setString(1, cluster.value());
            statement.setLong(2, sequence);
            statement.setInt(3, limit);
            try (var found = statement.executeQuery()) {
                var rows = new ArrayList<Row>();
                while (found.next()) {
                    rows.add(new Row(
                            found.getLong(1),
                            found.getLong(2),
                            found.getTimestamp(3).toInstant(),
                            JournalFormat.read(found.getShort(4), found.getBytes(5))));
                }
                return rows;
            }
        }
    }
}
