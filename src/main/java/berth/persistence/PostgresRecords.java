package berth.persistence;

import berth.desk.Records;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.time.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.StatelessSession;

/** The records in PostgreSQL. */
final class PostgresRecords implements Records {

    /** How long an idempotency key counts. */
    static final Duration KEY_LIFE = Duration.ofHours(24);

    private final Database database;
    private final InstantSource clock;

    PostgresRecords(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public Optional<Reservation> find(ReservationId id) {
        return database.read(session -> Optional.ofNullable(session.get(ReservationRow.class, id.value()))
                .map(ReservationRow::toReservation));
    }

    @Override
    public List<Reservation> list(Optional<String> owner, Optional<ReservationId> olderThan, int limit) {
        var conditions = new ArrayList<String>();
        owner.ifPresent(name -> conditions.add("fields.owner = :owner"));
        olderThan.ifPresent(id -> conditions.add("id < :olderThan"));
        var where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        return database.read(session -> {
            var query = session.createSelectionQuery(
                            "from ReservationRow" + where + " order by id desc", ReservationRow.class)
                    .setMaxResults(limit);
            owner.ifPresent(name -> query.setParameter("owner", name));
            olderThan.ifPresent(id -> query.setParameter("olderThan", id.value()));
            return query.getResultStream().map(ReservationRow::toReservation).toList();
        });
    }

    @Override
    public List<RecordedEvent> events(ReservationId reservation, long sequence, int limit) {
        return database.read(session -> session.createSelectionQuery(
                        "from EventRow where reservation = :reservation and sequence > :sequence order by sequence",
                        EventRow.class)
                .setParameter("reservation", reservation.value())
                .setParameter("sequence", sequence)
                .setMaxResults(limit)
                .getResultStream()
                .map(EventRow::toEvent)
                .toList());
    }

    /**
     * Each cluster is asked for itself: sequences are without gaps within a cluster and say nothing between two, so that
     * no event can appear behind a position that was already given out.
     */
    @Override
    public List<RecordedEvent> events(Map<String, Long> positions, int limit) {
        return database.read(session -> {
            var events = new ArrayList<EventRow>();
            for (var cluster : session.createSelectionQuery("select id from ClusterRow order by id", String.class)
                    .getResultList()) {
                events.addAll(eventsOf(session, cluster, positions.getOrDefault(cluster, 0L), limit));
            }
            // stable: within a cluster times never decrease, so the order of the sequence is kept
            return events.stream()
                    .sorted((a, b) -> a.at.compareTo(b.at))
                    .limit(limit)
                    .map(EventRow::toEvent)
                    .toList();
        });
    }

    private static List<EventRow> eventsOf(StatelessSession session, String cluster, long sequence, int limit) {
        return session.createSelectionQuery(
                        "from EventRow where cluster = :cluster and sequence > :sequence order by sequence",
                        EventRow.class)
                .setParameter("cluster", cluster)
                .setParameter("sequence", sequence)
                .setMaxResults(limit)
                .getResultList();
    }

    @Override
    public List<Reservation> occupying(String cluster, Slot range) {
        return database.read(session -> session.createSelectionQuery(
                        "from ReservationRow where cluster = :cluster and fields.startAt < :to and fields.endAt > :from"
                                + " and fields.state <> EXPIRED order by fields.startAt, id",
                        ReservationRow.class)
                .setParameter("cluster", cluster)
                .setParameter("from", Instant.ofEpochSecond(range.start()))
                .setParameter("to", Instant.ofEpochSecond(range.end()))
                .getResultStream()
                .map(ReservationRow::toReservation)
                .filter(reservation ->
                        reservation.occupied().filter(range::overlaps).isPresent())
                .toList());
    }

    @Override
    public Optional<FirstResult> firstResult(String account, String key) {
        return database.read(session -> {
            var row = session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(account, key));
            if (row == null || row.createdAt.isBefore(clock.instant().minus(KEY_LIFE))) {
                return Optional.empty();
            }
            var event = Optional.ofNullable(session.get(EventRow.class, new EventRow.Key(row.cluster, row.sequence)))
                    .map(found -> found.toEvent().event());
            return Optional.of(new FirstResult(row.fingerprint, event));
        });
    }

    /** Removes the keys that no longer count. */
    int forgetOldKeys() {
        return database.write(
                session -> session.createMutationQuery("delete from IdempotencyKeyRow where createdAt < :before")
                        .setParameter("before", clock.instant().minus(KEY_LIFE))
                        .executeUpdate());
    }
}
