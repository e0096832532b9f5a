package berth.projects.store;

import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.EntryKind;
import berth.budget.Grant;
import berth.database.Database;
import berth.database.Reading;
import berth.database.Sql;
import berth.engine.BudgetStore;
import berth.engine.ProjectLedger;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.store.Seconds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Stores grants and charges of projects in PostgreSQL. */
public record PostgresBudgets(Database database) implements BudgetStore, ProjectLedger {

    private static final int ROWS_AT_A_TIME = 1000;

    private static final String GRANTS =
            "select project, id, unit, amount, credit_limit, from_at, until_at, made_by, created_at, expired from project_grant";

    private static final String END_SOONER =
            "update project_grant set from_at = ?, until_at = ? where project = ? and id = ?";

    private static final String EXPIRE =
            "update project_grant set expired = ? where project = ? and id = ? and expired is null";

    private static final String SPENT = """
            select coalesce(sum(case kind when 'RELEASE' then -taken when 'HOLD' then taken when 'ADJUST' then taken else 0 end), 0),
                   coalesce(sum(case kind when 'CHARGE' then taken when 'RETURN' then -taken else 0 end), 0),
                   coalesce(sum(case kind when 'CREDIT' then taken else 0 end), 0)
            from (select kind, case when ? = 'PE_HOURS' then pe_seconds when currency = ? then amount else 0 end as taken
                  from ledger_entry join unnest(?::text[], ?::bigint[]) as known (cluster, sequence)
                      on known.cluster = ledger_entry.cluster and ledger_entry.sequence <= known.sequence
                  where project = ? and at < ?) as entry
            """;

    /** A grant has an entry when it begins to count, and one at its end if something expires. */
    private static final String ENTRIES = """
            select * from (
                select at, kind, cluster as place, sequence, number, reservation, version, owner, currency, amount, pe_seconds
                from ledger_entry where project = ?
                union all
                select greatest(from_at, created_at), 'GRANT', id, -2, 0, null, null, null, unit, amount, 0
                from project_grant where project = ?
                union all
                select until_at, 'EXPIRE', id, -1, 0, null, null, null, unit, expired, 0
                from project_grant where project = ? and expired > 0) as entry
            where (at, sequence, place, number) > (?, ?, ?, ?)
            order by at, sequence, place, number limit ?
            """;

    /** A reservation that lost PEs has a charge and a credit; one that returned time may be credited for it later. */
    private static final String CHARGES = """
            select at, cluster, sequence, max(number), reservation, owner, name, start_at, end_at, currency,
                   sum(case kind when 'CHARGE' then amount when 'RETURN' then -amount else 0 end),
                   sum(case kind when 'CREDIT' then amount else 0 end), sum(booked_pe_seconds)::bigint,
                   sum(case kind when 'RETURN' then -pe_seconds else pe_seconds end)::bigint, sum(used_pe_seconds)::bigint
            from ledger_entry
            where project = ? and at >= ? and at < ? and kind in ('CHARGE', 'CREDIT', 'RETURN') and (at, sequence, cluster, number) > (?, ?, ?, ?)
            group by at, cluster, sequence, reservation, owner, name, start_at, end_at, currency
            order by at, sequence, cluster
            """;

    private static final String SUMS = """
            select count(distinct reservation) filter (where kind <> 'RETURN'), currency,
                   sum(case kind when 'CHARGE' then amount when 'RETURN' then -amount else 0 end),
                   sum(case kind when 'CREDIT' then amount else 0 end), sum(booked_pe_seconds)::bigint,
                   sum(case kind when 'RETURN' then -pe_seconds else pe_seconds end)::bigint, sum(used_pe_seconds)::bigint
            from ledger_entry where project = ? and at >= ? and at < ? and kind in ('CHARGE', 'CREDIT', 'RETURN')
            group by currency order by currency
            """;

    /** After all entries: the year 9999. */
    private static final long END = 253_402_300_799L;

    /** Before all entries. */
    private static final Place BEGINNING = new Place(0, "", Long.MIN_VALUE, 0);

    @Override
    public List<Grant> grants() {
        return database.inTransaction(session -> session.doReturningWork(connection -> {
            // waits until every open transaction that has written here has ended, whoever began it
            Sql.update(connection, "lock table project_grant in share mode");
            return all(connection, GRANTS, PostgresBudgets::grant);
        }));
    }

    private static Grant grant(ResultSet row) throws SQLException {
        return new Grant(
                row.getString(1),
                row.getString(2),
                BudgetUnit.of(row.getString(3)),
                row.getBigDecimal(4),
                row.getBigDecimal(5),
                second(row, 6),
                second(row, 7),
                new AccountName(row.getString(8)),
                second(row, 9),
                Optional.ofNullable(row.getBigDecimal(10)));
    }

    @Override
    public void add(Grant grant) {
        write(
                "insert into project_grant (project, id, unit, amount, credit_limit, from_at, until_at, made_by, created_at)"
                        + " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                grant.project(),
                grant.id(),
                grant.unit().code(),
                grant.amount(),
                grant.creditLimit(),
                timestamp(grant.from()),
                timestamp(grant.until()),
                grant.by().value(),
                timestamp(grant.createdAt()));
    }

    @Override
    public void end(Grant grant) {
        database.write(session -> session.doReturningWork(connection -> {
            if (grant.expired().isPresent()) {
                Sql.update(connection, EXPIRE, grant.expired().get(), grant.project(), grant.id());
            }
            return Sql.update(
                    connection,
                    END_SOONER,
                    timestamp(grant.from()),
                    timestamp(grant.until()),
                    grant.project(),
                    grant.id());
        }));
    }

    private void write(String sql, Object... parameters) {
        database.write(session -> session.doReturningWork(connection -> Sql.update(connection, sql, parameters)));
    }

    @Override
    public BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before) {
        var clusters = upTo.keySet().stream().toList();
        return database.read(
                Reading.FOR_A_PROMISE,
                session -> session.doReturningWork(connection -> all(
                                connection,
                                SPENT,
                                row -> new BudgetUse(row.getBigDecimal(1), row.getBigDecimal(2), row.getBigDecimal(3)),
                                unit.code(),
                                unit.code(),
                                connection.createArrayOf(
                                        "text",
                                        clusters.stream().map(ClusterId::value).toArray()),
                                connection.createArrayOf(
                                        "bigint",
                                        clusters.stream().map(upTo::get).toArray()),
                                project,
                                timestamp(Math.min(before, END)))
                        .getFirst()));
    }

    @Override
    public List<Entry> entries(String project, Optional<Place> after, int limit) {
        var place = after.orElse(BEGINNING);
        return database.read(session -> session.doReturningWork(connection -> all(
                connection,
                ENTRIES,
                PostgresBudgets::entry,
                project,
                project,
                project,
                timestamp(place.at()),
                place.sequence(),
                place.source(),
                place.number(),
                limit)));
    }

    private static Entry entry(ResultSet row) throws SQLException {
        var reservation = row.getObject(6, UUID.class);
        var money = BudgetUnit.of(row.getString(9)).money();
        var amount = row.getBigDecimal(10);
        return new Entry(
                new Place(second(row, 1), row.getString(3), row.getLong(4), row.getInt(5)),
                EntryKind.valueOf(row.getString(2)),
                reservation == null
                        ? Optional.empty()
                        : Optional.of(new Agreement(
                                new ReservationId(reservation), row.getInt(7), new AccountName(row.getString(8)))),
                money,
                amount,
                money.isPresent() ? row.getLong(11) : amount.longValueExact());
    }

    @Override
    public List<Charged> charges(String project, long from, long to, Optional<Place> after, int limit) {
        var place = after.orElse(BEGINNING);
        return database.read(session -> session.doReturningWork(connection -> all(
                connection,
                CHARGES + " limit ?",
                PostgresBudgets::charged,
                project,
                timestamp(from),
                timestamp(to),
                timestamp(place.at()),
                place.sequence(),
                place.source(),
                place.number(),
                limit)));
    }

    @Override
    public void charges(String project, long from, long to, Consumer<Charged> each) {
        database.read(
                Reading.REPORT,
                session -> session.doReturningWork(connection -> {
                    // rows arrive in portions only in a transaction
                    boolean wasAutoCommit = connection.getAutoCommit();
                    connection.setAutoCommit(false);
                    try (var statement = Sql.prepare(
                            connection,
                            CHARGES,
                            project,
                            timestamp(from),
                            timestamp(to),
                            timestamp(BEGINNING.at()),
                            BEGINNING.sequence(),
                            BEGINNING.source(),
                            BEGINNING.number())) {
                        statement.setFetchSize(ROWS_AT_A_TIME);
                        return each(statement, each);
                    } finally {
                        connection.rollback();
                        connection.setAutoCommit(wasAutoCommit);
                    }
                }));
    }

    private static long each(PreparedStatement statement, Consumer<Charged> each) throws SQLException {
        long number = 0;
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                each.accept(charged(found));
                number++;
            }
        }
        return number;
    }

    private static Charged charged(ResultSet row) throws SQLException {
        var cluster = row.getString(2);
        return new Charged(
                new Place(second(row, 1), cluster, row.getLong(3), row.getInt(4)),
                new Run(
                        new ReservationId(row.getObject(5, UUID.class)),
                        new ClusterId(cluster),
                        new AccountName(row.getString(6)),
                        Optional.ofNullable(row.getString(7)),
                        second(row, 8),
                        second(row, 9)),
                amounts(row, 10),
                peSeconds(row, 13));
    }

    private static Amounts amounts(ResultSet row, int first) throws SQLException {
        return new Amounts(
                Currency.getInstance(row.getString(first)), row.getBigDecimal(first + 1), row.getBigDecimal(first + 2));
    }

    private static PeSeconds peSeconds(ResultSet row, int first) throws SQLException {
        return new PeSeconds(row.getLong(first), row.getLong(first + 1), row.getLong(first + 2));
    }

    @Override
    public List<Sum> sums(String project, long from, long to) {
        return database.read(
                Reading.REPORT,
                session -> session.doReturningWork(connection -> all(
                        connection,
                        SUMS,
                        row -> new Sum(row.getLong(1), amounts(row, 2), peSeconds(row, 5)),
                        project,
                        timestamp(from),
                        timestamp(to))));
    }

    private interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }

    private static <T> List<T> all(Connection connection, String sql, Row<T> reading, Object... parameters)
            throws SQLException {
        var all = new ArrayList<T>();
        try (var statement = Sql.prepare(connection, sql, parameters);
                var found = statement.executeQuery()) {
            while (found.next()) {
                all.add(reading.of(found));
            }
        }
        return all;
    }

    private static long second(ResultSet row, int column) throws SQLException {
        return row.getTimestamp(column).toInstant().getEpochSecond();
    }

    private static Timestamp timestamp(long second) {
        return Timestamp.from(Seconds.instant(second));
    }
}
