package berth.store;

import berth.engine.Ledger.Recovered;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
import berth.store.JournalFormat.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.hibernate.StatelessSession;

/**
 * The schedule of a cluster after an event of its journal.
 *
 * @param sequence the sequence of that event
 */
public record JournaledSchedule(ClusterId cluster, ClusterSchedule schedule, long sequence) {

    private static final int ROWS_AT_A_TIME = 256;

    /** Returns the schedule according to the tables for reading. */
    public static JournaledSchedule inTables(StatelessSession session, ClusterId cluster) {
        long sequence = session.createNativeQuery(
                        "select sequence from projection where cluster = :cluster", Long.class)
                .setParameter("cluster", cluster.value())
                .getSingleResult();
        return new JournaledSchedule(cluster, schedule(PostgresLedger.live(session, cluster, 0, sequence)), sequence);
    }

    /** Returns the schedule with which a desk begins. */
    private static ClusterSchedule schedule(Recovered live) {
        return ClusterSchedule.of(
                live.cluster(), live.live(), live.outages(), live.jobs(), live.requests(), live.lastEventAt());
    }

    /** Returns the schedule at the creation of the cluster, if the journal goes back that far. */
    public static Optional<JournaledSchedule> created(Connection connection, ClusterId cluster) throws SQLException {
        return Journal.after(connection, cluster, -1, 1).stream()
                .findFirst()
                .flatMap(row -> Optional.ofNullable(row.entry().created()))
                .map(created -> new JournaledSchedule(cluster, ClusterSchedule.empty(created), 0));
    }

    /** Returns the schedule after the last event of the journal. */
    public JournaledSchedule withJournal(Connection connection) throws SQLException {
        var reached = this;
        var rows = Journal.after(connection, cluster, sequence, ROWS_AT_A_TIME);
        while (!rows.isEmpty()) {
            for (var row : rows) {
                reached = reached.with(row);
            }
            rows = Journal.after(connection, cluster, reached.sequence, ROWS_AT_A_TIME);
        }
        return reached;
    }

    private JournaledSchedule with(Journal.Row row) {
        var events = row.entry().events().stream().map(Line::toEvent).toList();
        return new JournaledSchedule(cluster, schedule.with(events), row.last());
    }
}
