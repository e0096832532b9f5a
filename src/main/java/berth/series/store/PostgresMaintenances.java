package berth.series.store;

import berth.engine.KeyUse;
import berth.reservation.ClusterId;
import berth.series.Maintenance;
import berth.series.MaintenanceStore;
import berth.store.KeyedRows;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;

/** Stores maintenances in PostgreSQL. */
interface PostgresMaintenances extends MaintenanceStore, KeyedRows<MaintenanceRow>, Repository<MaintenanceRow, UUID> {

    Optional<MaintenanceRow> findById(UUID id);

    @NativeQuery("select * from maintenance where cluster = :cluster order by id desc")
    List<MaintenanceRow> findOf(String cluster);

    @NativeQuery("select * from maintenance where recorded < planned order by id")
    List<MaintenanceRow> findAtWork();

    @Override
    default void create(Maintenance maintenance, Optional<KeyUse> key) {
        insert(MaintenanceRow.of(maintenance), maintenance.id(), key);
    }

    @Override
    public default void update(Maintenance maintenance) {
        update(MaintenanceRow.of(maintenance), maintenance.id(), Optional.empty());
    }

    @Override
    default Optional<Maintenance> find(UUID id) {
        return findById(id).map(MaintenanceRow::toMaintenance);
    }

    @Override
    default List<Maintenance> of(ClusterId cluster) {
        return maintenances(findOf(cluster.value()));
    }

    @Override
    default List<Maintenance> atWork() {
        return maintenances(findAtWork());
    }

    private static List<Maintenance> maintenances(List<MaintenanceRow> rows) {
        return rows.stream().map(MaintenanceRow::toMaintenance).toList();
    }
}
