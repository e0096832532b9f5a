package berth.booking.store;

import berth.booking.Coallocation;
import berth.booking.CoallocationStore;
import berth.engine.KeyUse;
import berth.reservation.ReservationId;
import berth.store.KeyedRows;
import berth.store.ReservationRow;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores co-allocations in PostgreSQL. */
interface PostgresCoallocations
        extends CoallocationStore, KeyedRows<CoallocationRow>, Repository<CoallocationRow, UUID> {

    Optional<CoallocationRow> findById(UUID id);

    @Override
    @NativeQuery("select exists (select from coallocation where not settled)"
            + " or exists (select from coallocation where watched)")
    boolean isAnyOpen();

    @NativeQuery("select * from coallocation where not settled order by created_at")
    List<CoallocationRow> findUnfinished();

    @NativeQuery("select * from coallocation c where watched and ("
            + "exists (select from reservation p where p.id = any(c.reservations) and p.state = 'FAILED')"
            + " or exists (select from mirror p where p.id = any(c.reservations) and p.state = 'FAILED'))")
    List<CoallocationRow> findBroken();

    @NativeQuery("select m.id from coallocation c join mirror m on m.id = any(c.reservations)"
            + " where c.watched and m.state " + ReservationRow.LIVE)
    List<UUID> findWatchedElsewhere();

    @Override
    @Transactional
    @Modifying
    @NativeQuery("update coallocation c set watched = false,"
            + " content = cast(jsonb_set(cast(content as jsonb), '{isWatched}', 'false') as text) where watched"
            + " and not exists (select from reservation p where p.id = any(c.reservations) and p.state "
            + ReservationRow.LIVE
            + ") and not exists (select from mirror p where p.id = any(c.reservations) and p.state "
            + ReservationRow.LIVE + ")")
    void forgetEnded();

    @Override
    default void create(Coallocation coallocation, Optional<KeyUse> key) {
        insert(CoallocationRow.of(coallocation), coallocation.id(), key);
    }

    @Override
    public default void update(Coallocation coallocation) {
        update(CoallocationRow.of(coallocation), coallocation.id(), Optional.empty());
    }

    @Override
    default Optional<Coallocation> find(UUID id) {
        return findById(id).map(CoallocationRow::toCoallocation);
    }

    @NativeQuery("select exists (select from coallocation where not settled and :reservation = any(reservations))"
            + " or exists (select from coallocation where watched and :reservation = any(reservations))")
    boolean hasPart(UUID reservation);

    @Override
    default boolean isPart(ReservationId reservation) {
        return hasPart(reservation.value());
    }

    @Override
    default List<Coallocation> unfinished() {
        return coallocations(findUnfinished());
    }

    @Override
    default List<Coallocation> broken() {
        return coallocations(findBroken());
    }

    @Override
    default List<ReservationId> watchedElsewhere() {
        return findWatchedElsewhere().stream().map(ReservationId::new).toList();
    }

    private static List<Coallocation> coallocations(List<CoallocationRow> rows) {
        return rows.stream().map(CoallocationRow::toCoallocation).toList();
    }
}
