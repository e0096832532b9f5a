package berth.series.store;

import berth.engine.KeyUse;
import berth.engine.Records.Whose;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.reservation.SeriesId;
import berth.series.Series;
import berth.series.SeriesStore;
import berth.sla.AccountName;
import berth.store.KeyedRows;
import berth.store.RequestRow;
import berth.store.ReservationRow;
import berth.store.Rows;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.transaction.annotation.Transactional;

/** Stores series in PostgreSQL. */
interface PostgresSeries extends SeriesStore, KeyedRows<SeriesRow>, Rows<SeriesRow> {

    @NativeQuery("select * from series where state <> 'DECIDED' order by id")
    List<SeriesRow> findAtWork();

    @NativeQuery("select count(*) from series where state <> 'DECIDED' and owner = :owner")
    int countAtWork(String owner);

    @NativeQuery("select * from reservation where series = :series order by id")
    List<ReservationRow> findBooked(UUID series);

    @NativeQuery("select * from request where series = :series order by id")
    List<RequestRow> findRefused(UUID series);

    @Transactional
    @Modifying
    @NativeQuery("delete from series where id = :id")
    void deleteRow(UUID id);

    @Override
    default void create(Series series, Optional<KeyUse> key) {
        insert(SeriesRow.of(series), series.id().value(), key);
    }

    @Override
    public default void update(Series series) {
        update(SeriesRow.of(series), series.id().value(), Optional.empty());
    }

    @Override
    default void delete(SeriesId id) {
        deleteRow(id.value());
    }

    @Override
    default Optional<Series> find(SeriesId id) {
        return findById(id.value()).map(SeriesRow::toSeries);
    }

    @Override
    default List<Series> list(Whose whose, Optional<SeriesId> olderThan, int limit) {
        Specification<SeriesRow> where = Specification.allOf(
                Rows.is("owner", whose.owner().map(AccountName::value)), Rows.is("project", whose.project()));
        return newest(where, olderThan.map(SeriesId::value), limit)
                .map(SeriesRow::toSeries)
                .toList();
    }

    @Override
    default List<Series> atWork() {
        return findAtWork().stream().map(SeriesRow::toSeries).toList();
    }

    @Override
    default int atWork(AccountName owner) {
        return countAtWork(owner.value());
    }

    @Override
    default List<Reservation> booked(SeriesId id) {
        return findBooked(id.value()).stream()
                .map(ReservationRow::toReservation)
                .toList();
    }

    @Override
    default List<IntakeRequest> refused(SeriesId id) {
        return findRefused(id.value()).stream().map(RequestRow::toRequest).toList();
    }
}
