package berth.booking.store;

import berth.booking.CollectedRequest;
import berth.booking.IntakeStore;
import berth.engine.KeyUse;
import berth.store.KeyedRows;
import berth.store.RequestRow;
import berth.store.Rows;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.NativeQuery;

/** The collected requests in PostgreSQL. As the broker's store, it holds those without a cluster. */
interface PostgresIntake extends IntakeStore, KeyedRows<RequestRow>, Rows<RequestRow> {

    @NativeQuery("select * from request where cluster is null and state = 'PENDING' order by id")
    List<RequestRow> findWaiting();

    @Override
    default void create(CollectedRequest collected, Optional<KeyUse> key) {
        insert(RequestRow.of(collected), collected.request().id().value(), key);
    }

    @Override
    default void end(CollectedRequest ended, Optional<KeyUse> key) {
        update(RequestRow.of(ended), ended.request().id().value(), key);
    }

    @Override
    default List<CollectedRequest> waiting() {
        return findWaiting().stream().map(RequestRow::toCollected).toList();
    }
}
