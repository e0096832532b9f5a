package berth.persistence;

import berth.broker.Coallocation;
import berth.broker.CoallocationStore;
import berth.desk.KeyUse;
import berth.reservation.ReservationId;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The co-allocations in PostgreSQL. */
final class PostgresCoallocations implements CoallocationStore {

    private static final String LIVE = "in ('HELD', 'CONFIRMED', 'RUNNING')";

    private final Database database;
    private final InstantSource clock;

    PostgresCoallocations(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void create(Coallocation coallocation, Optional<KeyUse> key) {
        database.write(session -> {
            session.insert(CoallocationRow.of(coallocation));
            key.ifPresent(use -> session.upsert(IdempotencyKeyRow.of(use, coallocation.id(), clock.instant())));
            return coallocation;
        });
    }

    @Override
    public void update(Coallocation coallocation) {
        database.write(session -> {
            session.update(CoallocationRow.of(coallocation));
            return coallocation;
        });
    }

    @Override
    public Optional<Coallocation> find(UUID id) {
        return database.read(session ->
                Optional.ofNullable(session.get(CoallocationRow.class, id)).map(CoallocationRow::toCoallocation));
    }

    @Override
    public Optional<First> first(KeyUse key) {
        return database.read(session -> Optional.ofNullable(
                        session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(key.account(), key.key())))
                .filter(row -> row.countsAt(clock.instant()) && row.standsFor != null)
                .flatMap(row -> Optional.ofNullable(session.get(CoallocationRow.class, row.standsFor))
                        .map(found -> new First(row.fingerprint, found.toCoallocation()))));
    }

    @Override
    public List<Coallocation> unsettled() {
        return database.read(session -> session.createSelectionQuery(
                        "from CoallocationRow where not settled order by createdAt", CoallocationRow.class)
                .getResultStream()
                .map(CoallocationRow::toCoallocation)
                .toList());
    }

    @Override
    public List<Coallocation> broken() {
        return database.read(session -> session.createNativeQuery(
                        "select * from coallocation c where watched and (%s or %s)"
                                .formatted(anyPart("reservation", "= 'FAILED'"), anyPart("mirror", "= 'FAILED'")),
                        CoallocationRow.class)
                .getResultStream()
                .map(CoallocationRow::toCoallocation)
                .toList());
    }

    @Override
    public List<ReservationId> watchedElsewhere() {
        return database.read(session -> session.createNativeQuery(
                        "select m.id from coallocation c join mirror m on m.id = any(c.reservations) where c.watched and m.state "
                                + LIVE,
                        UUID.class)
                .getResultStream()
                .map(ReservationId::new)
                .toList());
    }

    @Override
    public void forgetEnded() {
        database.write(session -> session.createNativeMutationQuery(
                        "update coallocation c set watched = false where watched and not %s and not %s"
                                .formatted(anyPart("reservation", LIVE), anyPart("mirror", LIVE)))
                .executeUpdate());
    }

    private static String anyPart(String table, String state) {
        return "exists (select from %s p where p.id = any(c.reservations) and p.state %s)".formatted(table, state);
    }
}
