package berth.archive;

import berth.database.Database;
import berth.database.Sql;
import berth.reservation.ClusterId;
import berth.store.Projection;
import berth.store.Retention;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rewrites the tables for reading from the journal. It drops everything that the journal has. Older data, from before the journal was
 * introduced or shortened, are only in the tables and stay; the journal is then applied to them.
 */
final class Rebuild {

    /** Parameters: the name of a cluster and the first sequence of its journal. */
    private static final List<String> DROP_EVENTS = List.of(
            "delete from event where cluster = ? and sequence >= ?",
            "delete from ledger_entry where cluster = ? and sequence >= ?",
            "delete from idempotency_key where cluster = ? and stands_for is null and sequence >= ?");

    /** Parameter: the name of a cluster. Drops subjects without events. */
    private static final List<String> DROP_THEIR_SUBJECTS = List.of(
            "delete from reservation where cluster = ?"
                    + " and not exists (select from event where event.reservation = reservation.id)",
            // single jobs of an external queue may have no events; the next report replaces them
            "delete from job where cluster = ? and source <> 'OUTSIDE'"
                    + " and not exists (select from event where event.job = job.id)",
            "delete from outage where cluster = ? and not exists (select from event where event.outage = outage.id)",
            "delete from request where cluster = ? and not exists (select from event where event.request = request.id)");

    /** Parameter: the name of a cluster whose journal begins with its creation. */
    private static final List<String> DROP_CLUSTER =
            List.of("delete from job where cluster = ?", "delete from cluster where id = ?");

    private final Database database;

    Rebuild(Database database) {
        this.database = database;
    }

    /**
     * A cluster whose tables are rewritten.
     *
     * @param from the sequence of the first event in its journal; 0 if the journal begins with its creation
     * @param to the sequence of the last event
     */
    record Journaled(ClusterId cluster, long from, long to) {}

    /** Returns the clusters with rows in the journal, by name. */
    List<Journaled> journaled() {
        return database.write(session -> session.doReturningWork(Rebuild::journaled));
    }

    private static List<Journaled> journaled(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("select cluster, min(first_sequence), max(last_sequence)"
                        + " from journal group by cluster order by cluster")) {
            var clusters = new ArrayList<Journaled>();
            while (found.next()) {
                clusters.add(new Journaled(new ClusterId(found.getString(1)), found.getLong(2), found.getLong(3)));
            }
            return clusters;
        }
    }

    /** Drops what the journal of a cluster has and applies the journal again, entirely or not at all. */
    void rebuild(Journaled journaled) {
        var cluster = journaled.cluster;
        database.write(session -> {
            session.doWork(connection -> drop(connection, journaled));
            Projection.followToTheEnd(session, cluster);
            session.doWork(connection -> Retention.sweepAgain(connection, cluster));
            return cluster;
        });
    }

    private static void drop(Connection connection, Journaled journaled) throws SQLException {
        var cluster = journaled.cluster.value();
        for (var statement : DROP_EVENTS) {
            Sql.update(connection, statement, cluster, journaled.from);
        }
        for (var statement : DROP_THEIR_SUBJECTS) {
            Sql.update(connection, statement, cluster);
        }
        if (journaled.from == 0) {
            for (var statement : DROP_CLUSTER) {
                Sql.update(connection, statement, cluster);
            }
        }
        Sql.update(connection, "update projection set sequence = ? where cluster = ?", journaled.from - 1, cluster);
    }
}
