package berth.refusals;

import berth.database.Database;
import berth.database.Reading;
import berth.database.Sql;
import berth.refusals.Acceptance.Cell;
import berth.refusals.Acceptance.Count;
import berth.refusals.RefusedRequest.Kind;
import berth.refusals.RefusedRequest.WouldHaveFit;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.store.JournalFormat;
import berth.store.Seconds;
import berth.time.Slot;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of refused requests.
 *
 * @param perAccount how many it keeps of each account; the oldest go
 */
public record PostgresRefusals(Database database, int perAccount) {

    private static final TimeBasedEpochGenerator IDS = Generators.timeBasedEpochGenerator();

    /** How many old refused requests are removed at once. */
    private static final int PIECE = 5000;

    private static final String INSERT = """
            insert into refused_request (id, at, kind, account, project, clusters, reservation, terms, start_at, pes, lead, code, detail,
                would_deadline, would_pes, would_duration, request_id)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String ALLOWS = "(clusters = '{}' or ? = any(clusters))";

    private static final String CROWDED_OUT = """
            delete from refused_request where account = ? and id < (
                select id from refused_request where account = ? order by id desc offset ? limit 1)
            """;

    /** The most requests of each kind, accepted and refused, that a summary counts. */
    static final int MAX_COUNTED = 50_000;

    private static final String REFUSED = """
            select code, kind, pes, lead, count(*) from (
                select code, kind, pes, lead from refused_request
                where at >= ? and at < ? %s order by at desc limit ?) as latest
            group by 1, 2, 3, 4
            """;

    /** The first events of reservations. The lead is that of the terms as they were then. */
    private static final String ACCEPTED = """
            select pes, ready - second, count(*) from (
                select (content::json #>> '{reservation,placement,parts,0,pes}')::integer as pes,
                    (content::json #>> '{reservation,terms,window,readyTime}')::bigint as ready,
                    extract(epoch from at)::bigint as second
                from event
                where type in ('HELD', 'APPROVAL_ASKED', 'CONFIRMED') and version = 0 and at >= ? and at < ? %s order by at desc limit ?) as latest
            group by 1, 2
            """;

    private static final String PAGE = """
            select id, at, kind, account, project, clusters, reservation, terms, start_at, code, detail, would_deadline, would_pes,
                would_duration, request_id
            from refused_request where %s order by id desc limit ?
            """;

    /**
     * Which refused requests to list.
     *
     * @param cluster only those that allowed the cluster
     * @param from the time from which they were refused, in seconds since the epoch
     * @param to the time before which they were refused, in seconds since the epoch
     */
    public record Filter(
            Optional<AccountName> account,
            Optional<String> project,
            Optional<ClusterId> cluster,
            Optional<RefusalCode> code,
            OptionalLong from,
            OptionalLong to) {}

    /**
     * A recorded request.
     *
     * @param id its id; a later one has a greater id
     */
    public record Recorded(UUID id, RefusedRequest request) {}

    /**
     * Records refused requests, in order.
     *
     * @return how many older ones were removed because their accounts had too many
     */
    int add(List<RefusedRequest> refused) {
        return database.write(session -> session.doReturningWork(connection -> {
            insert(connection, refused);
            int removed = 0;
            for (var account :
                    refused.stream().map(each -> each.account().value()).collect(Collectors.toSet())) {
                removed += Sql.update(connection, CROWDED_OUT, account, account, perAccount - 1);
            }
            return removed;
        }));
    }

    private static void insert(Connection connection, List<RefusedRequest> refused) throws SQLException {
        try (var statement = connection.prepareStatement(INSERT)) {
            for (var each : refused) {
                var would = each.wouldFit();
                var clusters =
                        each.clusters().stream().map(ClusterId::value).sorted().toArray();
                var values = new @Nullable Object[] {
                    IDS.generate(),
                    timestamp(OptionalLong.of(each.at())),
                    each.kind().name(),
                    each.account().value(),
                    each.project().orElse(null),
                    connection.createArrayOf("text", clusters),
                    each.reservation().map(ReservationId::value).orElse(null),
                    JournalFormat.json(each.terms()),
                    timestamp(each.start()),
                    each.terms().pes(),
                    each.lead(),
                    each.code().word(),
                    each.detail(),
                    timestamp(would.deadline()),
                    Seconds.orNull(would.pes()),
                    Seconds.orNull(would.duration()),
                    each.requestId().orElse(null)
                };
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static @Nullable Timestamp timestamp(OptionalLong second) {
        return second.isPresent() ? Timestamp.from(Seconds.instant(second.getAsLong())) : null;
    }

    /** Lists refused requests, newest first. */
    public List<Recorded> newest(Filter filter, Optional<UUID> olderThan, int limit) {
        var conditions = conditions(filter);
        olderThan.ifPresent(id -> conditions.put("id < ?", id));
        var where = conditions.isEmpty() ? "true" : String.join(" and ", conditions.keySet());
        var parameters =
                Stream.concat(conditions.values().stream(), Stream.of(limit)).toArray();
        return database.read(session -> session.doReturningWork(connection -> {
            try (var statement = Sql.prepare(connection, PAGE.formatted(where), parameters);
                    var found = statement.executeQuery()) {
                var rows = new ArrayList<Recorded>();
                while (found.next()) {
                    rows.add(recorded(found));
                }
                return rows;
            }
        }));
    }

    /** Returns each condition of a filter with its parameter. */
    private static Map<String, Object> conditions(Filter filter) {
        var conditions = new LinkedHashMap<String, Object>();
        filter.account().ifPresent(account -> conditions.put("account = ?", account.value()));
        filter.project().ifPresent(project -> conditions.put("project = ?", project));
        filter.cluster().ifPresent(cluster -> conditions.put(ALLOWS, cluster.value()));
        filter.code().ifPresent(code -> conditions.put("code = ?", code.word()));
        filter.from().ifPresent(from -> conditions.put("at >= ?", Timestamp.from(Seconds.instant(from))));
        filter.to().ifPresent(to -> conditions.put("at < ?", Timestamp.from(Seconds.instant(to))));
        return conditions;
    }

    /**
     * Counts the requests that were accepted and refused in a time range.
     *
     * @param cluster counts only what this cluster accepted, and the refused requests that allowed it
     */
    public Acceptance acceptance(Slot range, Optional<ClusterId> cluster) {
        return database.read(
                Reading.REPORT, session -> session.doReturningWork(connection -> counted(connection, range, cluster)));
    }

    private static Acceptance counted(Connection connection, Slot range, Optional<ClusterId> cluster)
            throws SQLException {
        var refused = new EnumMap<RefusalCode, Long>(RefusalCode.class);
        var cells = new HashMap<Cell, Count>();
        var allowed = REFUSED.formatted(cluster.isPresent() ? "and " + ALLOWS : "");
        long found = count(connection, allowed, range, cluster, row -> {
            long number = row.getLong(5);
            refused.merge(RefusalCode.of(row.getString(1)), number, Long::sum);
            if (Kind.valueOf(row.getString(2)).isForNewReservation()) {
                cells.merge(Cell.of(row.getInt(3), row.getLong(4)), new Count(0, number), Count::plus);
            }
            return number;
        });
        var accepting = ACCEPTED.formatted(cluster.isPresent() ? "and cluster = ?" : "");
        long granted = count(connection, accepting, range, cluster, row -> {
            cells.merge(Cell.of(row.getInt(1), row.getLong(2)), new Count(row.getLong(3), 0), Count::plus);
            return row.getLong(3);
        });
        return new Acceptance(refused, cells, Math.max(found, granted) >= MAX_COUNTED);
    }

    private interface Group {
        /** Adds a group of requests, and returns how many they are. */
        long add(ResultSet row) throws SQLException;
    }

    private static long count(Connection connection, String sql, Slot range, Optional<ClusterId> cluster, Group group)
            throws SQLException {
        var parameters = new ArrayList<Object>(
                List.of(Timestamp.from(Seconds.instant(range.start())), Timestamp.from(Seconds.instant(range.end()))));
        cluster.map(ClusterId::value).ifPresent(parameters::add);
        parameters.add(MAX_COUNTED);
        long found = 0;
        try (var statement = Sql.prepare(connection, sql, parameters.toArray());
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                found += group.add(rows);
            }
        }
        return found;
    }

    private static Recorded recorded(ResultSet row) throws SQLException {
        var clusters = (String[]) row.getArray(6).getArray();
        return new Recorded(
                row.getObject(1, UUID.class),
                new RefusedRequest(
                        row.getTimestamp(2).toInstant().getEpochSecond(),
                        Kind.valueOf(row.getString(3)),
                        new AccountName(row.getString(4)),
                        Optional.ofNullable(row.getString(5)),
                        Stream.of(clusters).map(ClusterId::new).collect(Collectors.toSet()),
                        Optional.ofNullable(row.getObject(7, UUID.class)).map(ReservationId::new),
                        JournalFormat.read(row.getString(8), RequestedTerms.class),
                        second(row.getTimestamp(9)),
                        RefusalCode.of(row.getString(10)),
                        row.getString(11),
                        new WouldHaveFit(
                                second(row.getTimestamp(12)),
                                Seconds.optional(row.getObject(13, Integer.class)),
                                Seconds.optional(row.getObject(14, Long.class))),
                        Optional.ofNullable(row.getString(15))));
    }

    private static OptionalLong second(@Nullable Timestamp time) {
        return time == null
                ? OptionalLong.empty()
                : OptionalLong.of(time.toInstant().getEpochSecond());
    }

    /** Removes some of the requests that were refused before then; returns how many. */
    int forget(Instant before) {
        return database.write(session -> session.doReturningWork(connection -> {
            Sql.takeTime(connection);
            return Sql.update(
                    connection, Sql.deletingSome("refused_request where at < ?"), Timestamp.from(before), PIECE);
        }));
    }
}
