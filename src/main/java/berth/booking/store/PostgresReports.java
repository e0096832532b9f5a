package berth.booking.store;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.database.Database;
import berth.database.Reading;
import berth.database.Sql;
import berth.engine.Records.Grouping;
import berth.engine.ReportRecords;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.store.Journal;
import berth.store.JournalFormat;
import berth.store.ReservationRow;
import berth.store.Seconds;
import berth.time.Slot;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the data of reports from PostgreSQL. */
public record PostgresReports(Database database) implements ReportRecords {

    private static final int ROWS_AT_A_TIME = 2000;

    private static final String RESERVATIONS = """
            select date_part('epoch', start_at)::bigint, date_part('epoch', end_at)::bigint, pes, owner, project, parts, state,
                date_part('epoch', updated_at)::bigint
            from reservation
            where cluster = any(?) and start_at < ? and end_at > ? and state <> 'EXPIRED'
                and (state %s or updated_at > start_at) and (?::text is null or project = ?)
            """.formatted(ReservationRow.LIVE);

    private static final String JOBS = """
            select date_part('epoch', started_at)::bigint, date_part('epoch', coalesce(ended_at, taken_until))::bigint, pes, owner
            from job
            where cluster = any(?) and started_at < ? and taken_until > ? and (ended_at is null or ended_at > ? and ended_at > started_at)
            """;

    private static final String STEP = "floor((date_part('epoch', %s) - ?) / ?)::integer";

    private static final String ENDS = "('COMPLETED', 'CANCELLED', 'RELEASED', 'EXPIRED', 'FAILED', 'RETURN_CREDITED')";

    private static final String EVENTS = """
            select %s, type, is_first, currency, sum(number)::bigint, coalesce(sum(price), 0), coalesce(sum(credit), 0)
            from (
                select at, type, version = 0 as is_first, currency, 1::bigint as number, price, credit
                from event
                where cluster = any(?) and at >= ? and at < ? and (?::text is null or project = ?)
                    and (type in %s or type = 'MOVED' or version = 0)
                union all
                select hour, type, is_first, nullif(currency, ''), number, price, credit
                from hourly_figure where cluster = any(?) and hour >= ? and hour < ? and ?::text is null) as found
            group by 1, 2, 3, 4
            """.formatted(STEP.formatted("at"), ENDS);

    private static final String REFUSED = """
            select least(floor((date_part('epoch', hour) + 3599 - ?) / ?), ?)::integer, sum(number)::bigint
            from refusal where cluster = any(?) and hour > ? and hour < ? group by 1
            """;

    private static final String EARNED = """
            select %%s, %s, currency, sum(price), coalesce(sum(credit), 0)
            from event
            where cluster = any(?) and at >= ? and at < ? and (?::text is null or project = ?) and price is not null and type in %s
            group by 1, 2, 3 limit ?
            """.formatted(STEP.formatted("at"), ENDS);

    private static final String OUTAGES = """
            select content from outage
            where cluster = any(?) and from_at < ? and (to_at is null or to_at > ?)
                and (ended_at is null or ended_at > from_at and ended_at > ?)
            """;

    private static final String CREATED =
            "select id, date_part('epoch', created_at)::bigint, content from cluster where id = any(?)";

    private static final String CHANGED = """
            select cluster, date_part('epoch', at)::bigint,
                   case when content::jsonb -> 'cluster' ->> 'admission' = 'RETIRED' then 0
                        else (content::jsonb -> 'cluster' ->> 'pes')::integer end
            from event where cluster = any(?) and type = 'CLUSTER_CHANGED' order by cluster, sequence
            """;

    private static final String KEPT_FROM =
            "select max(date_part('epoch', kept_from)) from projection where cluster = any(?) and isfinite(kept_from)";

    private interface Work<T> {
        T of(Connection connection) throws SQLException;
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private <T> T read(Work<T> work) {
        return database.read(
                Reading.REPORT,
                session -> session.doReturningWork(connection -> {
                    // rows arrive in portions only in a transaction
                    boolean wasAutoCommit = connection.getAutoCommit();
                    connection.setAutoCommit(false);
                    try {
                        return work.of(connection);
                    } finally {
                        connection.rollback();
                        connection.setAutoCommit(wasAutoCommit);
                    }
                }));
    }

    private static void each(Connection connection, String sql, Row row, @Nullable Object... parameters)
            throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.setFetchSize(ROWS_AT_A_TIME);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    row.read(found);
                }
            }
        }
    }

    private static Array clusters(Connection connection, Scope scope) throws SQLException {
        return connection.createArrayOf(
                "text", scope.clusters().stream().map(ClusterId::value).toArray());
    }

    private static Timestamp timestamp(long second) {
        return Timestamp.from(Seconds.instant(second));
    }

    @Override
    public void bookings(Scope scope, Consumer<Booking> each) {
        var from = timestamp(scope.range().start());
        var to = timestamp(scope.range().end());
        var project = scope.project().orElse(null);
        read(connection -> {
            var clusters = clusters(connection, scope);
            each(connection, RESERVATIONS, row -> each.accept(reservation(row)), clusters, to, from, project, project);
            if (project == null) {
                each(connection, JOBS, row -> each.accept(job(row)), clusters, to, from, from);
            }
            return scope;
        });
    }

    private static Booking reservation(ResultSet row) throws SQLException {
        long end = row.getLong(2);
        var pieces = row.getString(6);
        var parts = pieces == null
                ? List.of(Part.whole(new Slot(row.getLong(1), end), row.getInt(3)))
                : List.of(JournalFormat.read(pieces, Part[].class));
        var state = ReservationState.valueOf(row.getString(7));
        long until = state.isLive() ? end : Math.min(end, row.getLong(8));
        if (state == ReservationState.FAILED) {
            parts = parts.stream()
                    .filter(part -> part.slot().start() < until)
                    .map(part -> part.until(until))
                    .toList();
        }
        return new Booking(
                parts, until, new AccountName(row.getString(4)), Optional.ofNullable(row.getString(5)), false);
    }

    private static Booking job(ResultSet row) throws SQLException {
        var slot = new Slot(row.getLong(1), row.getLong(2));
        return new Booking(
                List.of(Part.whole(slot, row.getInt(3))),
                slot.end(),
                new AccountName(row.getString(4)),
                Optional.empty(),
                true);
    }

    @Override
    public List<EventSum> events(Scope scope) {
        var from = timestamp(scope.range().start());
        var to = timestamp(scope.range().end());
        var project = scope.project().orElse(null);
        return read(connection -> {
            var sums = new ArrayList<EventSum>();
            var clusters = clusters(connection, scope);
            each(
                    connection,
                    EVENTS,
                    row -> sums.add(new EventSum(
                            row.getInt(1),
                            Event.Type.valueOf(row.getString(2)),
                            row.getBoolean(3),
                            row.getLong(5),
                            Optional.ofNullable(row.getString(4)).map(Currency::getInstance),
                            row.getBigDecimal(6),
                            row.getBigDecimal(7))),
                    scope.range().start(),
                    scope.step(),
                    clusters,
                    from,
                    to,
                    project,
                    project,
                    clusters,
                    from,
                    to,
                    project);
            return sums;
        });
    }

    @Override
    public Map<Integer, Long> refused(Scope scope) {
        long start = scope.range().start();
        long last = (scope.range().duration() - 1) / scope.step();
        return read(connection -> {
            var refused = new HashMap<Integer, Long>();
            each(
                    connection,
                    REFUSED,
                    row -> refused.put(row.getInt(1), row.getLong(2)),
                    start,
                    scope.step(),
                    last,
                    clusters(connection, scope),
                    timestamp(start - 3600),
                    timestamp(scope.range().end()));
            return refused;
        });
    }

    @Override
    public List<Earned> earned(Scope scope, Grouping by, int most) {
        var column = switch (by) {
            case OWNER -> "owner";
            case PROJECT -> "project";
        };
        var project = scope.project().orElse(null);
        return read(connection -> {
            var earned = new ArrayList<Earned>();
            each(
                    connection,
                    EARNED.formatted(column),
                    row -> earned.add(new Earned(
                            Optional.ofNullable(row.getString(1)),
                            row.getInt(2),
                            Currency.getInstance(row.getString(3)),
                            row.getBigDecimal(4),
                            row.getBigDecimal(5))),
                    scope.range().start(),
                    scope.step(),
                    clusters(connection, scope),
                    timestamp(scope.range().start()),
                    timestamp(scope.range().end()),
                    project,
                    project,
                    most);
            return earned;
        });
    }

    @Override
    public List<Outage> outages(Scope scope) {
        var from = timestamp(scope.range().start());
        return read(connection -> {
            var outages = new ArrayList<Outage>();
            each(
                    connection,
                    OUTAGES,
                    row -> outages.add(JournalFormat.read(row.getString(1), Outage.class)),
                    clusters(connection, scope),
                    timestamp(scope.range().end()),
                    from,
                    from);
            return outages;
        });
    }

    @Override
    public List<Size> sizes(Scope scope) {
        return read(connection -> {
            var clusters = clusters(connection, scope);
            var changes = new HashMap<ClusterId, List<Size>>();
            each(
                    connection,
                    CHANGED,
                    row -> {
                        var size = new Size(new ClusterId(row.getString(1)), row.getLong(2), row.getInt(3));
                        changes.computeIfAbsent(size.cluster(), _ -> new ArrayList<>())
                                .add(size);
                    },
                    clusters);
            var sizes = new ArrayList<Size>();
            each(
                    connection,
                    CREATED,
                    row -> {
                        var present = JournalFormat.read(row.getString(3), Cluster.class);
                        var later = changes.getOrDefault(present.id(), List.of());
                        int first = later.isEmpty()
                                ? present.isRetired() ? 0 : present.pes()
                                : created(connection, present.id())
                                        .orElse(later.getFirst().pes());
                        sizes.add(new Size(present.id(), row.getLong(2), first));
                        sizes.addAll(later);
                    },
                    clusters);
            sizes.removeIf(size -> size.from() >= scope.range().end());
            return sizes;
        });
    }

    /** Returns the PEs with which a cluster was created, if its journal still begins with that. */
    private static Optional<Integer> created(Connection connection, ClusterId cluster) throws SQLException {
        return Journal.after(connection, cluster, -1, 1).stream()
                .findFirst()
                .flatMap(row -> Optional.ofNullable(row.entry().created()))
                .map(Cluster::pes);
    }

    @Override
    public long keptFrom(Scope scope) {
        return read(connection -> {
            try (var statement = Sql.prepare(connection, KEPT_FROM, clusters(connection, scope));
                    var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        });
    }
}
