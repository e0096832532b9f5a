package berth.booking.store;

import static berth.store.Rows.is;
import static org.springframework.data.domain.Sort.Direction.DESC;
import static org.springframework.data.jpa.domain.Specification.allOf;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.database.Database;
import berth.database.Reading;
import berth.database.Sql;
import berth.engine.Keys;
import berth.engine.Records;
import berth.engine.Records.FirstResult.KeyResult;
import berth.intake.IntakeRequest;
import berth.peers.store.PostgresMirrors;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Allowance.PastRun;
import berth.scheduling.Event;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.store.ClusterStatistics;
import berth.store.EventRow;
import berth.store.IdempotencyKeyRow;
import berth.store.JobRow;
import berth.store.JournalFormat;
import berth.store.OutageRow;
import berth.store.RequestRow;
import berth.store.ReservationRow;
import berth.store.Rows;
import berth.store.Seconds;
import berth.time.Slot;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.query.SelectionQuery;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.NativeQuery;

/** Reads recorded data from PostgreSQL. */
public record PostgresRecords(
        Database database,
        Reservations reservations,
        Jobs jobs,
        Outages outages,
        PostgresIntake requests,
        PostgresMirrors mirrors,
        InstantSource clock)
        implements Records {

    private static final int KEYS_AT_A_TIME = 1000;

    /** Each value is the end of an index; a maximum with grouping would read the whole index. */
    private static final String LAST_SEQUENCES = """
            select id, sequence from cluster, lateral (
                select max(sequence) as sequence from event where event.cluster = cluster.id%s) last
            where sequence is not null
            """;

    private static final String FORGET_KEYS = Sql.deletingSome("idempotency_key where created_at < ?");

    interface Reservations extends Rows<ReservationRow> {}

    interface Jobs extends Rows<JobRow> {}

    interface Outages extends Rows<OutageRow> {

        String LASTING_AFTER = "select * from outage where cluster = :cluster and (to_at is null or to_at > :from)"
                + " and (ended_at is null or ended_at > from_at and ended_at > :from)";

        @NativeQuery(LASTING_AFTER + " and from_at < :to order by from_at, id")
        List<OutageRow> findWithin(String cluster, Instant from, Instant to);

        @NativeQuery(LASTING_AFTER + " order by from_at desc, id desc limit :limit")
        List<OutageRow> findLatest(String cluster, Instant from, int limit);
    }

    @Override
    public List<Part> mirrored(AccountName owner, long now) {
        return Reading.FOR_A_PROMISE.read(() -> mirrors.findLive(owner.value(), Seconds.instant(now))).stream()
                .map(row -> Part.whole(
                        new Slot(row.startAt.getEpochSecond(), row.endAt.getEpochSecond()),
                        Math.max(1, row.answer.path("placement").path("pes").asInt(1))))
                .toList();
    }

    @Override
    public Optional<Reservation> find(ReservationId id) {
        return reservations.findById(id.value()).map(ReservationRow::toReservation);
    }

    @Override
    public Map<ClusterId, Long> lastSequences(Whose whose) {
        return database.read(
                Reading.FEED,
                session -> of(whose, session.createNativeQuery(LAST_SEQUENCES.formatted(and(whose)), Object[].class))
                        .getResultStream()
                        .collect(Collectors.toMap(row -> new ClusterId((String) row[0]), row -> (Long) row[1])));
    }

    @Override
    public Optional<BatchJob> find(JobId id) {
        return jobs.findById(id.value()).map(JobRow::toJob);
    }

    @Override
    public List<BatchJob> jobs(ClusterId cluster, JobFilter filter, Optional<JobPosition> after, int limit) {
        Specification<JobRow> where = allOf(
                is("cluster", Optional.of(cluster.value())),
                is("owner", filter.owner().map(AccountName::value)),
                is("state", filter.state()));
        var position = after.map(last -> Map.of(
                "submittedAt",
                Seconds.instant(last.submittedAt()),
                "id",
                last.id().value()));
        return jobs.page(where, Sort.by(DESC, "submittedAt", "id"), position, limit)
                .map(JobRow::toJob)
                .toList();
    }

    private static final String RUNNING = " where cluster = :cluster and startedAt < :to and takenUntil > :from"
            + " and (endedAt is null or endedAt > :from and endedAt > startedAt)";

    @Override
    public List<BatchJob> running(ClusterId cluster, Slot range, Whose whose, int limit) {
        return whose.project().isPresent()
                ? List.of()
                : database.read(session -> in(
                                range,
                                whose,
                                session.createSelectionQuery(
                                        "from JobRow" + RUNNING + and(whose) + " order by startedAt, id", JobRow.class))
                        .setParameter("cluster", cluster.value())
                        .setMaxResults(limit)
                        .getResultStream()
                        .map(JobRow::toJob)
                        .toList());
    }

    private static String and(Whose whose) {
        return (whose.owner().isPresent() ? " and owner = :owner" : "")
                + (whose.project().isPresent() ? " and project = :project" : "");
    }

    private static <T> SelectionQuery<T> in(Slot range, Whose whose, SelectionQuery<T> query) {
        return of(whose, query)
                .setParameter("from", Seconds.instant(range.start()))
                .setParameter("to", Seconds.instant(range.end()));
    }

    private static <T> SelectionQuery<T> of(Whose whose, SelectionQuery<T> query) {
        whose.owner().ifPresent(owner -> query.setParameter("owner", owner.value()));
        whose.project().ifPresent(project -> query.setParameter("project", project));
        return query;
    }

    @Override
    public Optional<IntakeRequest> collected(ReservationId id) {
        return requests.findById(id.value()).map(RequestRow::toRequest);
    }

    @Override
    public List<RecordedEvent> events(ReservationId reservation, long sequence, int limit) {
        return database.read(session -> session.createNativeQuery(
                        "select * from event where (reservation = :reservation or request = :reservation)"
                                + " and sequence > :sequence order by sequence",
                        EventRow.class)
                .setParameter("reservation", reservation.value())
                .setParameter("sequence", sequence)
                .setMaxResults(limit)
                .getResultStream()
                .map(EventRow::recorded)
                .toList());
    }

    /**
     * Asks each cluster separately. Sequences have no gaps within a cluster but no order between clusters, so no event can appear behind a
     * position that was already returned.
     */
    @Override
    public List<RecordedEvent> events(Map<ClusterId, Long> positions, Whose whose, int limit) {
        return database.read(session -> {
            var events = new ArrayList<EventRow>();
            for (var cluster : clusters(session)) {
                events.addAll(eventsOf(session, cluster, positions.getOrDefault(cluster, 0L), whose, limit));
            }
            // stable: within a cluster times never decrease, so the order of the sequence is kept
            return events.stream()
                    .sorted((a, b) -> a.at.compareTo(b.at))
                    .limit(limit)
                    .map(EventRow::recorded)
                    .toList();
        });
    }

    private static List<ClusterId> clusters(StatelessSession session) {
        return session.createNativeQuery("select id from cluster order by id", String.class)
                .getResultStream()
                .map(ClusterId::new)
                .toList();
    }

    @Override
    public Map<ClusterId, Long> positionsBefore(long time) {
        return database.read(session -> {
            var positions = new HashMap<ClusterId, Long>();
            for (var cluster : clusters(session)) {
                positions.put(cluster, positionBefore(session, cluster, Seconds.instant(time)));
            }
            return positions;
        });
    }

    /** Returns the last sequence of events before a time, by bisection: times never decrease along the history. */
    private static long positionBefore(StatelessSession session, ClusterId cluster, Instant time) {
        long before = 0;
        long from =
                session.createSelectionQuery("select max(sequence) from EventRow where cluster = :cluster", Long.class)
                                .setParameter("cluster", cluster.value())
                                .uniqueResultOptional()
                                .orElse(0L)
                        + 1;
        while (before + 1 < from) {
            long middle = (before + from) / 2;
            // events that are not kept any more precede those that are
            boolean isBefore = session.createSelectionQuery(
                            "select at from EventRow where cluster = :cluster and sequence = :sequence", Instant.class)
                    .setParameter("cluster", cluster.value())
                    .setParameter("sequence", middle)
                    .uniqueResultOptional()
                    .map(at -> at.isBefore(time))
                    .orElse(true);
            if (isBefore) {
                before = middle;
            } else {
                from = middle;
            }
        }
        return before;
    }

    @Override
    public List<RecordedEvent> events(ClusterId cluster, long sequence, Whose whose, int limit) {
        return database.read(session -> eventsOf(session, cluster, sequence, whose, limit).stream()
                .map(EventRow::recorded)
                .toList());
    }

    @Override
    public long awaitMore(long seen, Duration patience) throws InterruptedException {
        return database.awaitStep(seen, patience);
    }

    @Override
    public long lastSequence(ClusterId cluster) {
        return database.read(session -> session.createNativeQuery(
                        "select sequence from projection where cluster = :cluster", Long.class)
                .setParameter("cluster", cluster.value())
                .uniqueResultOptional()
                .orElse(0L));
    }

    private static List<EventRow> eventsOf(
            StatelessSession session, ClusterId cluster, long sequence, Whose whose, int limit) {
        var query = session.createNativeQuery(
                "select * from event where cluster = :cluster and sequence > :sequence"
                        + and(whose)
                        + " order by sequence",
                EventRow.class);
        return of(whose, query)
                .setParameter("cluster", cluster.value())
                .setParameter("sequence", sequence)
                .setMaxResults(limit)
                .getResultList();
    }

    @Override
    public List<Renegotiation> renegotiations(ReservationId reservation, OptionalLong beforeVersion, int limit) {
        return database.read(session -> {
            var found = changes(session, reservation, "change.type in (RENEGOTIATED, FIXED, PROPOSED)", beforeVersion)
                    .setMaxResults(limit)
                    .getResultList();
            var replies = new HashMap<Integer, Reply>();
            if (found.stream().anyMatch(change -> change.row.type == Event.Type.PROPOSED)) {
                changes(session, reservation, "change.type in (ACCEPTED, DECLINED)", OptionalLong.empty())
                        .getResultStream()
                        .forEach(change -> replies.put(change.proposal(), change.reply()));
            }
            return found.stream()
                    .<Renegotiation>map(change -> change.row.type == Event.Type.PROPOSED
                            ? change.offer(Optional.ofNullable(replies.get(change.row.version)))
                            : change.agreement())
                    .toList();
        });
    }

    /** An event of a reservation and the one before it. */
    record Change(EventRow row, EventRow before) {

        /** Returns the number of the proposal that the event answers. */
        int proposal() {
            return before.toReservation().proposal().orElseThrow().number();
        }

        Reply reply() {
            return new Reply(
                    row.type == Event.Type.ACCEPTED,
                    row.toReservation(),
                    before.toReservation().price());
        }

        Renegotiation agreement() {
            return new Renegotiation.Agreement(
                    row.toReservation(), before.toReservation().price());
        }

        Renegotiation offer(Optional<Reply> reply) {
            return new Renegotiation.Offer(row.toReservation(), reply);
        }
    }

    private static SelectionQuery<Change> changes(
            StatelessSession session, ReservationId reservation, String which, OptionalLong beforeVersion) {
        return session.createSelectionQuery(
                        "select change, earlier from EventRow change join EventRow earlier"
                                + " on earlier.reservation = change.reservation"
                                + " and earlier.version = change.version - 1"
                                + " where change.reservation = :reservation and " + which
                                + " and change.version < :before order by change.version desc",
                        Change.class)
                .setParameter("reservation", reservation.value())
                .setParameter("before", (int) Math.min(beforeVersion.orElse(Integer.MAX_VALUE), Integer.MAX_VALUE));
    }

    private static final String OCCUPYING =
            " where cluster = :cluster and startAt < :to and endAt > :from and state <> EXPIRED"
                    + " and (state in (HELD, PENDING, CONFIRMED, RUNNING) or updatedAt > startAt"
                    + " and updatedAt > :from)";

    @Override
    public List<Reservation> occupying(ClusterId cluster, Slot range, Whose whose, int limit) {
        return database.read(session -> in(
                        range,
                        whose,
                        session.createSelectionQuery(
                                "from ReservationRow" + OCCUPYING + and(whose) + " order by startAt, id",
                                ReservationRow.class))
                .setParameter("cluster", cluster.value())
                .setMaxResults(limit)
                .getResultStream()
                .map(ReservationRow::toReservation)
                .toList());
    }

    @Override
    public void occupied(ClusterId cluster, Slot range, Whose whose, Consumer<Occupied> each) {
        database.read(Reading.REPORT, session -> {
            in(
                            range,
                            whose,
                            session.createSelectionQuery(
                                    "select startAt, endAt, state, updatedAt, pes,"
                                            + " parts, owner, project from ReservationRow"
                                            + OCCUPYING
                                            + and(whose),
                                    Object[].class))
                    .setParameter("cluster", cluster.value())
                    .getResultStream()
                    .flatMap(PostgresRecords::occupied)
                    .filter(occupied -> occupied.slot().overlaps(range))
                    .forEach(each);
            if (whose.project().isEmpty()) {
                in(
                                range,
                                whose,
                                session.createSelectionQuery(
                                        "select startedAt, coalesce(endedAt, takenUntil),"
                                                + " pes, owner from"
                                                + " JobRow" + RUNNING + and(whose),
                                        Object[].class))
                        .setParameter("cluster", cluster.value())
                        .getResultStream()
                        .map(row -> new Occupied(
                                new Slot(((Instant) row[0]).getEpochSecond(), ((Instant) row[1]).getEpochSecond()),
                                (Integer) row[2],
                                new AccountName((String) row[3]),
                                Optional.empty()))
                        .forEach(each);
            }
            return range;
        });
    }

    /** Returns what a reservation takes, or took until it ended. */
    private static Stream<Occupied> occupied(Object[] row) {
        long start = ((Instant) row[0]).getEpochSecond();
        long end = ((Instant) row[1]).getEpochSecond();
        long last = ((ReservationState) row[2]).isLive() ? end : ((Instant) row[3]).getEpochSecond();
        var owner = new AccountName((String) row[6]);
        var project = Optional.ofNullable((String) row[7]);
        return row[5] == null
                ? Stream.of(new Occupied(new Slot(start, Math.min(end, last)), (Integer) row[4], owner, project))
                : Arrays.stream(JournalFormat.read((String) row[5], Part[].class))
                        .filter(part -> part.slot().start() < last)
                        .map(part -> new Occupied(part.until(last).slot(), part.pes(), owner, project));
    }

    @Override
    public List<PastRun> ended(AccountName owner, long since, int most) {
        return database.read(
                Reading.FOR_A_PROMISE,
                session -> session.createSelectionQuery(
                                "select startAt, endAt, state, updatedAt, pes, parts, owner, project, id"
                                        + " from ReservationRow where owner = :owner and endAt > :since"
                                        + " and updatedAt > :since and updatedAt > startAt"
                                        + " and state in (COMPLETED, CANCELLED, FAILED)",
                                Object[].class)
                        .setParameter("owner", owner.value())
                        .setParameter("since", Seconds.instant(since))
                        .setMaxResults(most)
                        .getResultStream()
                        .map(row -> new PastRun(
                                new ReservationId((UUID) row[8]),
                                occupied(row)
                                        .map(taken -> Part.whole(taken.slot(), taken.pes()))
                                        .toList()))
                        .toList());
    }

    private static final String ENDED =
            " from EventRow where cluster = :cluster and at >= :from and at < :to and price is not null"
                    + " and type in (COMPLETED, CANCELLED, RELEASED, EXPIRED, FAILED, RETURN_CREDITED)";

    @Override
    public List<Sum> revenue(ClusterId cluster, Slot range, Whose whose, Optional<Grouping> by, int most) {
        var of = group(by);
        return database.read(
                Reading.REPORT,
                session -> in(
                                range,
                                whose,
                                session.createSelectionQuery(
                                        "select currency, sum(price)" + of + ENDED + and(whose) + " group by currency"
                                                + of,
                                        Object[].class))
                        .setParameter("cluster", cluster.value())
                        .setMaxResults(most)
                        .getResultStream()
                        .map(row -> sum(row, 0))
                        .toList());
    }

    @Override
    public List<Owed> owed(ClusterId cluster, Whose whose, Optional<Grouping> by, int most) {
        var of = group(by);
        return database.read(
                Reading.REPORT,
                session -> of(
                                whose,
                                session.createSelectionQuery(
                                        "select state, currency, sum(price)" + of
                                                + " from ReservationRow where cluster = :cluster"
                                                + " and state in (HELD, PENDING, CONFIRMED, RUNNING)" + and(whose)
                                                + " group by state, currency" + of,
                                        Object[].class))
                        .setParameter("cluster", cluster.value())
                        .setMaxResults(most)
                        .getResultStream()
                        .map(row -> new Owed((ReservationState) row[0], sum(row, 1)))
                        .toList());
    }

    private static String group(Optional<Grouping> by) {
        return by.map(what -> switch (what) {
                    case OWNER -> ", owner";
                    case PROJECT -> ", project";
                })
                .orElse("");
    }

    private static Sum sum(Object[] row, int at) {
        var group = row.length > at + 2 ? Optional.ofNullable((String) row[at + 2]) : Optional.<String>empty();
        var currency = Currency.getInstance((String) row[at]);
        return new Sum(group, Money.roundedUp((BigDecimal) row[at + 1], BigDecimal.ONE, currency));
    }

    @Override
    public List<Outage> outages(ClusterId cluster, Optional<OutageId> olderThan, int limit) {
        Specification<OutageRow> where = is("cluster", Optional.of(cluster.value()));
        return outages.newest(where, olderThan.map(OutageId::value), limit)
                .map(OutageRow::toOutage)
                .toList();
    }

    @Override
    public List<Outage> outages(ClusterId cluster, Slot range) {
        return outages
                .findWithin(cluster.value(), Seconds.instant(range.start()), Seconds.instant(range.end()))
                .stream()
                .map(OutageRow::toOutage)
                .toList();
    }

    @Override
    public List<Outage> latestOutages(ClusterId cluster, long from, int limit) {
        return Reading.FEED.read(() -> outages.findLatest(cluster.value(), Seconds.instant(from), limit).stream()
                .map(OutageRow::toOutage)
                .toList());
    }

    @Override
    public Optional<Outage> find(OutageId id) {
        return outages.findById(id.value()).map(OutageRow::toOutage);
    }

    @Override
    public Statistics statistics(ClusterId cluster, Slot range) {
        return database.read(Reading.REPORT, session -> ClusterStatistics.of(session, cluster, range));
    }

    @Override
    public Optional<FirstResult> firstResult(AccountName account, String key) {
        return database.read(Reading.FOR_A_PROMISE, session -> {
            var row = session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(account.value(), key));
            if (row == null || !row.countsAt(clock.instant())) {
                return Optional.empty();
            }
            if (row.standsFor != null) {
                return Optional.of(new FirstResult(row.fingerprint, new KeyResult.Filed(row.standsFor)));
            }
            var stands = Optional.ofNullable(session.get(EventRow.class, new EventRow.Key(row.cluster, row.sequence)))
                    .map(EventRow::event)
                    .<KeyResult>map(KeyResult.Happened::new)
                    .orElseGet(KeyResult.Created::new);
            return Optional.of(new FirstResult(row.fingerprint, stands));
        });
    }

    @Override
    public void usedKeys(BiConsumer<AccountName, String> each) {
        // only in a transaction do the rows arrive in portions
        database.inTransaction(session -> {
            session.doWork(Sql::takeTime);
            try (var keys = session.createNativeQuery(
                            "select account, key from idempotency_key where created_at >= :since", Object[].class)
                    .setParameter("since", clock.instant().minus(Keys.LIFE))
                    .setFetchSize(KEYS_AT_A_TIME)
                    .getResultStream()) {
                keys.forEach(key -> each.accept(new AccountName((String) key[0]), (String) key[1]));
            }
            return true;
        });
    }

    /** Returns all clusters, including deleted ones. */
    public List<ClusterId> clusters() {
        return database.read(session -> session.createNativeQuery("select id from cluster order by id", String.class)
                .getResultStream()
                .map(ClusterId::new)
                .toList());
    }

    /** Removes some of the expired keys; returns how many. */
    public int forgetOldKeys(int most) {
        return database.write(session -> session.doReturningWork(connection -> Sql.update(
                connection, FORGET_KEYS, Timestamp.from(clock.instant().minus(Keys.LIFE)), most)));
    }
}
