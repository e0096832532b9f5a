package berth.store;

import berth.database.Sql;
import berth.reservation.ClusterId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes what ended long ago: reservations, jobs, outages and collected requests with their events. Statistics of removed events are kept
 * by the hour. Rows of the journal from before that time are removed if a verified export contains them. Removal happens in portions, so
 * that nobody waits long.
 *
 * @param leaving the most reservations and jobs of a cluster to remove at once, and the most rows of a table that belong to no cluster
 * @param shortening the most events to remove from a journal at once
 */
public record Retention(int leaving, int shortening) {

    public static final Retention STANDARD = new Retention(5000, 100_000);

    private static final String ENDS = """
            select at from (
                select updated_at as at from reservation
                    where cluster = ? and state not %1$s and not open_return and updated_at < ?
                union all select ended_at from job where cluster = ? and ended_at < ?) as ended
            order by at offset ? limit 1
            """.formatted(ReservationRow.LIVE);

    private static final String FIND_LEAVING = """
            create temporary table leaving on commit drop as
            select id from reservation
                where cluster = ? and state not %1$s and not open_return and updated_at < ?
            union all select id from job where cluster = ? and ended_at < ?
            union all select id from outage where cluster = ? and ended_at < ?
            union all select id from request where cluster = ? and ended_at < ?
                and not exists (select from reservation where reservation.id = request.id
                    and (state %1$s or open_return or updated_at >= ?))
            """.formatted(ReservationRow.LIVE);

    /**
     * Finds the events of what is removed, and those that programs cause all the time: reports of external queues, delays of jobs in them, and
     * signals.
     */
    private static final String FIND_EVENTS = """
            create temporary table leaving_event on commit drop as
            select event.sequence from event join leaving on coalesce(reservation, job, outage, request) = leaving.id
                where cluster = ?
            union all select sequence from event where cluster = ? and at < ?
                and (jobs_waiting is not null or type in ('JOB_DELAYED', 'SIGNAL_CHANGED'))
            """;

    private static final String SUM_UP = """
            insert into hourly_figure as kept
            select cluster, date_trunc('hour', at), type, is_first, currency, sum(number), sum(price), sum(credit), sum(slowdown),
                sum(slowdowns), sum(phi), sum(phis), sum(immediate), sum(delay), sum(delays), sum(waited), sum(waits)
            from figure where cluster = ? and sequence in (select sequence from leaving_event)
            group by 1, 2, 3, 4, 5
            on conflict (cluster, hour, type, is_first, currency) do update set
                number = kept.number + excluded.number,
                price = coalesce(kept.price + excluded.price, kept.price, excluded.price),
                credit = coalesce(kept.credit + excluded.credit, kept.credit, excluded.credit),
                slowdown = kept.slowdown + excluded.slowdown, slowdowns = kept.slowdowns + excluded.slowdowns,
                phi = kept.phi + excluded.phi, phis = kept.phis + excluded.phis,
                immediate = kept.immediate + excluded.immediate,
                delay = kept.delay + excluded.delay, delays = kept.delays + excluded.delays,
                waited = kept.waited + excluded.waited, waits = kept.waits + excluded.waits
            """;

    private static final List<String> REMOVE = List.of(
            "delete from event where cluster = ? and sequence in (select sequence from leaving_event)",
            "delete from reservation where cluster = ? and id in (select id from leaving)",
            "delete from job where cluster = ? and id in (select id from leaving)",
            "delete from outage where cluster = ? and id in (select id from leaving)",
            "delete from request where cluster = ? and id in (select id from leaving)",
            "drop table leaving, leaving_event");

    /** Removes the oldest rows of the journal, up to the first that is too young, not exported yet, or not in the tables yet. */
    private static final String SHORTEN = """
            delete from journal where cluster = ? and last_sequence <= least(
                (select min(last_sequence) + ? from journal where cluster = ?),
                (select sequence from projection where cluster = ?),
                (select coalesce(max(sequence), -1) from exported where cluster = ?),
                coalesce((select min(last_sequence) - 1 from journal where cluster = ? and at >= ?), 9223372036854775807))
            """;

    /** Parameters: a time and a number of rows. */
    private static final List<String> WITHOUT_CLUSTER = Stream.of(
                    "request where cluster is null and ended_at < ?"
                            + " and not exists (select from reservation where reservation.id = request.id)",
                    "mirror where owed = 'NOTHING' and end_at < ?",
                    "asked where not is_open and ends_at < ?",
                    "coallocation where settled and not watched and updated_at < ?"
                            + " and not exists (select from reservation where reservation.id = any(reservations))"
                            + " and not exists (select from mirror where mirror.id = any(reservations))")
            .map(Sql::deletingSome)
            .toList();

    /**
     * The numbers of removed rows.
     *
     * @param events the number of events in the tables
     * @param batches the number of rows of the journal
     * @param before the time before which the removed things had ended
     */
    public record Swept(int events, int batches, Instant before) {}

    /** Removes what ended on a cluster before {@code last}; if that is too much, only the older part. */
    public Swept sweep(Connection connection, ClusterId cluster, Instant last) throws SQLException {
        Sql.takeTime(connection);
        var before = bounded(connection, cluster, last);
        find(connection, cluster, before);
        Sql.update(connection, SUM_UP, cluster.value());
        int events = remove(connection, cluster);
        Sql.update(
                connection,
                "update projection set kept_from = greatest(kept_from, ?) where cluster = ?",
                Timestamp.from(before),
                cluster.value());
        int batches = Sql.update(
                connection,
                SHORTEN,
                cluster.value(),
                shortening,
                cluster.value(),
                cluster.value(),
                cluster.value(),
                cluster.value(),
                Timestamp.from(before));
        return new Swept(events, batches, before);
    }

    /**
     * Returns the latest time, at most {@code last}, before which no more ended than may be removed at once, unless more ended in one
     * second.
     */
    private Instant bounded(Connection connection, ClusterId cluster, Instant last) throws SQLException {
        var id = cluster.value();
        var end = Timestamp.from(last);
        try (var statement = Sql.prepare(connection, ENDS, id, end, id, end, leaving - 1);
                var found = statement.executeQuery()) {
            return found.next() ? found.getTimestamp(1).toInstant().plusSeconds(1) : last;
        }
    }

    /**
     * Removes the old data of a cluster once more, after they were rewritten from its journal. The first removal has added them to the
     * statistics.
     */
    public static void sweepAgain(Connection connection, ClusterId cluster) throws SQLException {
        try (var statement = connection.prepareStatement(
                "select kept_from from projection where cluster = ? and isfinite(kept_from)")) {
            statement.setString(1, cluster.value());
            try (var found = statement.executeQuery()) {
                if (found.next()) {
                    find(connection, cluster, found.getTimestamp(1).toInstant());
                    remove(connection, cluster);
                }
            }
        }
    }

    /** Removes some of what ended before then and belongs to no cluster of this Berth; returns the number of rows. */
    public int sweepWithoutCluster(Connection connection, Instant before) throws SQLException {
        Sql.takeTime(connection);
        int rows = 0;
        for (var statement : WITHOUT_CLUSTER) {
            rows += Sql.update(connection, statement, Timestamp.from(before), leaving);
        }
        return rows;
    }

    private static void find(Connection connection, ClusterId cluster, Instant before) throws SQLException {
        var id = cluster.value();
        var time = Timestamp.from(before);
        Sql.update(connection, FIND_LEAVING, id, time, id, time, id, time, id, time, time);
        Sql.update(connection, FIND_EVENTS, id, id, time);
    }

    private static int remove(Connection connection, ClusterId cluster) throws SQLException {
        int events = Sql.update(connection, REMOVE.getFirst(), cluster.value());
        for (var statement : REMOVE.subList(1, REMOVE.size() - 1)) {
            Sql.update(connection, statement, cluster.value());
        }
        Sql.update(connection, REMOVE.getLast());
        return events;
    }
}
