package berth.persistence;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.desk.Records;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.query.SelectionQuery;

/** The records in PostgreSQL. */
final class PostgresRecords implements Records {

    /** How long an idempotency key counts. */
    private final Database database;

    private final InstantSource clock;

    PostgresRecords(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public List<Part> mirrored(String owner, long now) {
        return database.read(session -> session.createSelectionQuery(
                        "from MirrorRow where owner = :owner and " + PostgresMirrors.LIVE + " and endAt > :now",
                        MirrorRow.class)
                .setParameter("owner", owner)
                .setParameter("now", Seconds.instant(now))
                .getResultStream()
                .map(row -> Part.whole(
                        new Slot(row.startAt.getEpochSecond(), row.endAt.getEpochSecond()),
                        Math.max(1, row.answer.path("placement").path("pes").asInt(1))))
                .toList());
    }

    @Override
    public Optional<Reservation> find(ReservationId id) {
        return database.read(session -> Optional.ofNullable(session.get(ReservationRow.class, id.value()))
                .map(ReservationRow::toReservation));
    }

    @Override
    public List<Reservation> list(Filter filter, Optional<ReservationId> olderThan, int limit) {
        var rows = new FilteredRows("fields.", filter, olderThan);
        return database.read(session -> rows.newest(session, ReservationRow.class, limit)
                .map(ReservationRow::toReservation)
                .toList());
    }

    @Override
    public Optional<BatchJob> find(JobId id) {
        return database.read(session ->
                Optional.ofNullable(session.get(JobRow.class, id.value())).map(JobRow::toJob));
    }

    @Override
    public List<BatchJob> jobs(String cluster, JobFilter filter, Optional<JobPosition> after, int limit) {
        return database.read(session -> {
            var query = session.createSelectionQuery(
                            "from JobRow where cluster = :cluster"
                                    + (filter.owner().isPresent() ? " and fields.owner = :owner" : "")
                                    + (filter.state().isPresent() ? " and fields.state = :state" : "")
                                    + (after.isPresent()
                                            ? " and (fields.submittedAt < :at or fields.submittedAt = :at and id < :id)"
                                            : "")
                                    + " order by fields.submittedAt desc, id desc",
                            JobRow.class)
                    .setParameter("cluster", cluster)
                    .setMaxResults(limit);
            filter.owner().ifPresent(owner -> query.setParameter("owner", owner));
            filter.state().ifPresent(state -> query.setParameter("state", state));
            after.ifPresent(position -> query.setParameter("at", Seconds.instant(position.submittedAt()))
                    .setParameter("id", position.id().value()));
            return query.getResultStream().map(JobRow::toJob).toList();
        });
    }

    private static final String RUNNING =
            " where cluster = :cluster and fields.startedAt < :to and fields.takenUntil > :from"
                    + " and (fields.endedAt is null or fields.endedAt > :from and fields.endedAt > fields.startedAt)";

    @Override
    public List<BatchJob> running(String cluster, Slot range, Whose whose, int limit) {
        return whose.project().isPresent()
                ? List.of()
                : database.read(session -> in(
                                range,
                                whose,
                                session.createSelectionQuery(
                                        "from JobRow" + RUNNING + and(whose, "fields.")
                                                + " order by fields.startedAt, id",
                                        JobRow.class))
                        .setParameter("cluster", cluster)
                        .setMaxResults(limit)
                        .getResultStream()
                        .map(JobRow::toJob)
                        .toList());
    }

    private static String and(Whose whose, String fields) {
        return (whose.owner().isPresent() ? " and " + fields + "owner = :owner" : "")
                + (whose.project().isPresent() ? " and " + fields + "project = :project" : "");
    }

    private static <T> SelectionQuery<T> in(Slot range, Whose whose, SelectionQuery<T> query) {
        return of(whose, query)
                .setParameter("from", Seconds.instant(range.start()))
                .setParameter("to", Seconds.instant(range.end()));
    }

    private static <T> SelectionQuery<T> of(Whose whose, SelectionQuery<T> query) {
        whose.owner().ifPresent(owner -> query.setParameter("owner", owner));
        whose.project().ifPresent(project -> query.setParameter("project", project));
        return query;
    }

    @Override
    public Optional<IntakeRequest> collected(ReservationId id) {
        return database.read(session ->
                Optional.ofNullable(session.get(RequestRow.class, id.value())).map(RequestRow::toRequest));
    }

    @Override
    public List<IntakeRequest> collected(RequestFilter filter, Optional<ReservationId> olderThan, int limit) {
        var conditions = new ArrayList<String>(List.of("state <> GRANTED"));
        var parameters = new HashMap<String, Object>();
        filter.owner().ifPresent(owner -> {
            conditions.add("owner = :owner");
            parameters.put("owner", owner);
        });
        filter.cluster().ifPresent(cluster -> {
            conditions.add("cluster = :cluster");
            parameters.put("cluster", cluster);
        });
        filter.state().ifPresent(state -> {
            conditions.add("state = :state");
            parameters.put("state", state);
        });
        filter.project().ifPresent(project -> {
            conditions.add("project = :project");
            parameters.put("project", project);
        });
        olderThan.ifPresent(id -> {
            conditions.add("id < :olderThan");
            parameters.put("olderThan", id.value());
        });
        return database.read(session -> {
            var query = session.createSelectionQuery(
                            "from RequestRow where " + String.join(" and ", conditions) + " order by id desc",
                            RequestRow.class)
                    .setMaxResults(limit);
            parameters.forEach(query::setParameter);
            return query.getResultStream().map(RequestRow::toRequest).toList();
        });
    }

    @Override
    public List<RecordedEvent> events(ReservationId reservation, long sequence, int limit) {
        return database.read(session -> session.createSelectionQuery(
                        "from EventRow where (reservation = :reservation or request = :reservation)"
                                + " and sequence > :sequence order by sequence",
                        EventRow.class)
                .setParameter("reservation", reservation.value())
                .setParameter("sequence", sequence)
                .setMaxResults(limit)
                .getResultStream()
                .map(row -> RecordedEvents.of(session, row))
                .toList());
    }

    /**
     * Each cluster is asked for itself: sequences are without gaps within a cluster and say nothing between two, so that
     * no event can appear behind a position that was already given out.
     */
    @Override
    public List<RecordedEvent> events(Map<String, Long> positions, Optional<String> owner, int limit) {
        return database.read(session -> {
            var events = new ArrayList<EventRow>();
            for (var cluster : session.createSelectionQuery("select id from ClusterRow order by id", String.class)
                    .getResultList()) {
                events.addAll(eventsOf(session, cluster, positions.getOrDefault(cluster, 0L), owner, limit));
            }
            // stable: within a cluster times never decrease, so the order of the sequence is kept
            return events.stream()
                    .sorted((a, b) -> a.at.compareTo(b.at))
                    .limit(limit)
                    .map(row -> RecordedEvents.of(session, row))
                    .toList();
        });
    }

    private static List<EventRow> eventsOf(
            StatelessSession session, String cluster, long sequence, Optional<String> owner, int limit) {
        var query = session.createSelectionQuery(
                        "from EventRow where cluster = :cluster and sequence > :sequence"
                                + (owner.isPresent() ? " and coalesce(after.owner, requestOwner) = :owner" : "")
                                + " order by sequence",
                        EventRow.class)
                .setParameter("cluster", cluster)
                .setParameter("sequence", sequence)
                .setMaxResults(limit);
        owner.ifPresent(name -> query.setParameter("owner", name));
        return query.getResultList();
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
                            ? change.offer(Optional.ofNullable(replies.get(change.row.after.version)))
                            : change.agreement())
                    .toList();
        });
    }

    /** An event of a reservation, and the one before it. */
    record Change(EventRow row, EventRow before) {

        /** The proposal that it answers. */
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
                                + " and earlier.after.version = change.after.version - 1"
                                + " where change.reservation = :reservation and " + which
                                + " and change.after.version < :before order by change.after.version desc",
                        Change.class)
                .setParameter("reservation", reservation.value())
                .setParameter("before", (int) Math.min(beforeVersion.orElse(Integer.MAX_VALUE), Integer.MAX_VALUE));
    }

    private static final String OCCUPYING =
            " where cluster = :cluster and fields.startAt < :to and fields.endAt > :from and fields.state <> EXPIRED"
                    + " and (fields.state in (HELD, CONFIRMED, RUNNING) or fields.updatedAt > fields.startAt"
                    + " and fields.updatedAt > :from)";

    @Override
    public List<Reservation> occupying(String cluster, Slot range, Whose whose, int limit) {
        return database.read(session -> in(
                        range,
                        whose,
                        session.createSelectionQuery(
                                "from ReservationRow" + OCCUPYING + and(whose, "fields.")
                                        + " order by fields.startAt, id",
                                ReservationRow.class))
                .setParameter("cluster", cluster)
                .setMaxResults(limit)
                .getResultStream()
                .map(ReservationRow::toReservation)
                .toList());
    }

    @Override
    public void occupied(String cluster, Slot range, Whose whose, Consumer<Occupied> each) {
        database.read(session -> {
            in(
                            range,
                            whose,
                            session.createSelectionQuery(
                                    "select fields.startAt, fields.endAt, fields.state, fields.updatedAt, fields.pes,"
                                            + " fields.parts, fields.owner, fields.project from ReservationRow"
                                            + OCCUPYING
                                            + and(whose, "fields."),
                                    Object[].class))
                    .setParameter("cluster", cluster)
                    .getResultStream()
                    .flatMap(PostgresRecords::occupied)
                    .filter(occupied -> occupied.slot().overlaps(range))
                    .forEach(each);
            if (whose.project().isEmpty()) {
                in(
                                range,
                                whose,
                                session.createSelectionQuery(
                                        "select fields.startedAt, coalesce(fields.endedAt, fields.takenUntil),"
                                                + " fields.pes, fields.owner from"
                                                + " JobRow" + RUNNING + and(whose, "fields."),
                                        Object[].class))
                        .setParameter("cluster", cluster)
                        .getResultStream()
                        .map(row -> new Occupied(
                                new Slot(((Instant) row[0]).getEpochSecond(), ((Instant) row[1]).getEpochSecond()),
                                (Integer) row[2],
                                (String) row[3],
                                Optional.empty()))
                        .forEach(each);
            }
            return range;
        });
    }

    /** What a reservation takes, or took until it ended. */
    private static Stream<Occupied> occupied(Object[] row) {
        long start = ((Instant) row[0]).getEpochSecond();
        long end = ((Instant) row[1]).getEpochSecond();
        long last = ((ReservationState) row[2]).isLive() ? end : ((Instant) row[3]).getEpochSecond();
        var owner = (String) row[6];
        var project = Optional.ofNullable((String) row[7]);
        return row[5] == null
                ? Stream.of(new Occupied(new Slot(start, Math.min(end, last)), (Integer) row[4], owner, project))
                : ((List<?>) row[5])
                        .stream()
                                .map(Part.class::cast)
                                .filter(part -> part.slot().start() < last)
                                .map(part -> new Occupied(part.until(last).slot(), part.pes(), owner, project));
    }

    @Override
    public List<Sum> revenue(String cluster, Slot range, Whose whose, Optional<Grouping> by, int most) {
        var of = group("after.", by);
        return database.read(session -> in(
                        range,
                        whose,
                        session.createSelectionQuery(
                                "select after.currency, sum(after.price)" + of + ClusterStatistics.EVENTS
                                        + ClusterStatistics.ENDS + and(whose, "after.") + " group by after.currency"
                                        + of,
                                Object[].class))
                .setParameter("cluster", cluster)
                .setMaxResults(most)
                .getResultStream()
                .map(row -> sum(row, 0))
                .toList());
    }

    @Override
    public List<Owed> owed(String cluster, Whose whose, Optional<Grouping> by, int most) {
        var of = group("fields.", by);
        return database.read(session -> of(
                        whose,
                        session.createSelectionQuery(
                                "select fields.state, fields.currency, sum(fields.price)" + of
                                        + " from ReservationRow where cluster = :cluster"
                                        + " and fields.state in (HELD, CONFIRMED, RUNNING)" + and(whose, "fields.")
                                        + " group by fields.state, fields.currency" + of,
                                Object[].class))
                .setParameter("cluster", cluster)
                .setMaxResults(most)
                .getResultStream()
                .map(row -> new Owed((ReservationState) row[0], sum(row, 1)))
                .toList());
    }

    private static String group(String fields, Optional<Grouping> by) {
        return by.map(what -> switch (what) {
                    case OWNER -> ", " + fields + "owner";
                    case PROJECT -> ", " + fields + "project";
                })
                .orElse("");
    }

    private static Sum sum(Object[] row, int at) {
        var group = row.length > at + 2 ? Optional.ofNullable((String) row[at + 2]) : Optional.<String>empty();
        var currency = Currency.getInstance((String) row[at]);
        return new Sum(group, Money.rounded((BigDecimal) row[at + 1], BigDecimal.ONE, currency));
    }

    @Override
    public List<Outage> outages(String cluster, Optional<OutageId> olderThan, int limit) {
        return database.read(session -> {
            var query = session.createSelectionQuery(
                            "from OutageRow where cluster = :cluster"
                                    + (olderThan.isPresent() ? " and id < :olderThan" : "") + " order by id desc",
                            OutageRow.class)
                    .setParameter("cluster", cluster)
                    .setMaxResults(limit);
            olderThan.ifPresent(id -> query.setParameter("olderThan", id.value()));
            return query.getResultStream().map(OutageRow::toOutage).toList();
        });
    }

    @Override
    public List<Outage> outages(String cluster, Slot range) {
        return database.read(session -> session.createSelectionQuery(
                        "from OutageRow where cluster = :cluster and fromAt < :to and (toAt is null or toAt > :from)"
                                + " and (endedAt is null or endedAt > fromAt and endedAt > :from)"
                                + " order by fromAt, id",
                        OutageRow.class)
                .setParameter("cluster", cluster)
                .setParameter("from", Seconds.instant(range.start()))
                .setParameter("to", Seconds.instant(range.end()))
                .getResultStream()
                .map(OutageRow::toOutage)
                .toList());
    }

    @Override
    public Optional<Outage> find(OutageId id) {
        return database.read(session ->
                Optional.ofNullable(session.get(OutageRow.class, id.value())).map(OutageRow::toOutage));
    }

    @Override
    public Statistics statistics(String cluster, Slot range) {
        return database.read(session -> new ClusterStatistics(session, cluster, range).statistics());
    }

    @Override
    public Optional<FirstResult> firstResult(String account, String key) {
        return database.read(session -> {
            var row = session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(account, key));
            if (row == null || !row.countsAt(clock.instant())) {
                return Optional.empty();
            }
            if (row.standsFor != null) {
                return Optional.of(new FirstResult(row.fingerprint, Optional.empty()));
            }
            var event = Optional.ofNullable(session.get(EventRow.class, new EventRow.Key(row.cluster, row.sequence)))
                    .map(found -> RecordedEvents.event(session, found));
            return Optional.of(new FirstResult(row.fingerprint, event));
        });
    }

    /** Removes the keys that no longer count. */
    int forgetOldKeys() {
        return database.write(
                session -> session.createMutationQuery("delete from IdempotencyKeyRow where createdAt < :before")
                        .setParameter("before", clock.instant().minus(IdempotencyKeyRow.LIFE))
                        .executeUpdate());
    }
}
