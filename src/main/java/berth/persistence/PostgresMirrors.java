package berth.persistence;

import berth.broker.Mirror;
import berth.broker.Mirror.Owed;
import berth.broker.MirrorStore;
import berth.desk.KeyUse;
import berth.desk.Records.Filter;
import berth.reservation.ReservationId;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The reservations at other Berths in PostgreSQL. */
final class PostgresMirrors implements MirrorStore {

    static final String LIVE = "state in (HELD, CONFIRMED, RUNNING)";

    private final Database database;
    private final InstantSource clock;

    PostgresMirrors(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void create(Mirror mirror, Optional<KeyUse> key) {
        database.write(session -> {
            session.insert(MirrorRow.of(mirror));
            key.ifPresent(
                    use -> session.upsert(IdempotencyKeyRow.of(use, mirror.id().value(), clock.instant())));
            return mirror;
        });
    }

    @Override
    public void update(Mirror mirror) {
        database.write(session -> {
            session.update(MirrorRow.of(mirror));
            return mirror;
        });
    }

    @Override
    public void remove(ReservationId id) {
        database.write(session -> {
            // that of a collected request stands for it whatever comes of it
            session.createMutationQuery(
                            "delete from IdempotencyKeyRow used where used.standsFor = :id"
                                    + " and not exists (select 1 from RequestRow collected where collected.id = used.standsFor)")
                    .setParameter("id", id.value())
                    .executeUpdate();
            return session.createMutationQuery("delete from MirrorRow where id = :id")
                    .setParameter("id", id.value())
                    .executeUpdate();
        });
    }

    @Override
    public Optional<Mirror> find(ReservationId id) {
        return database.read(session ->
                Optional.ofNullable(session.get(MirrorRow.class, id.value())).map(MirrorRow::toMirror));
    }

    @Override
    public Optional<First> first(KeyUse key) {
        return database.read(session -> Optional.ofNullable(
                        session.get(IdempotencyKeyRow.class, new IdempotencyKeyRow.Id(key.account(), key.key())))
                .filter(row -> row.countsAt(clock.instant()) && row.standsFor != null)
                .flatMap(row -> Optional.ofNullable(session.get(MirrorRow.class, row.standsFor))
                        .map(found -> new First(row.fingerprint, found.toMirror()))));
    }

    @Override
    public List<Mirror> list(Filter filter, Optional<ReservationId> olderThan, int limit) {
        var rows = new FilteredRows("", filter, olderThan);
        return database.read(session -> rows.newest(session, MirrorRow.class, limit)
                .map(MirrorRow::toMirror)
                .toList());
    }

    @Override
    public List<Mirror> owing() {
        return database.read(session -> session.createSelectionQuery(
                        "from MirrorRow where owed <> :nothing order by createdAt", MirrorRow.class)
                .setParameter("nothing", Owed.NOTHING)
                .getResultStream()
                .map(MirrorRow::toMirror)
                .toList());
    }

    @Override
    public boolean isInUse(String cluster) {
        return database.read(session -> !session.createSelectionQuery(
                        "from MirrorRow where cluster = :cluster and (" + LIVE + " or owed <> :nothing)",
                        MirrorRow.class)
                .setParameter("cluster", cluster)
                .setParameter("nothing", Owed.NOTHING)
                .setMaxResults(1)
                .getResultList()
                .isEmpty());
    }
}
