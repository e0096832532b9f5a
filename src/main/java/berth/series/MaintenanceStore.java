package berth.series;

import berth.engine.KeyUse;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores maintenances durably. */
public interface MaintenanceStore {

    /** Records a new maintenance and the key of its request. */
    void create(Maintenance maintenance, Optional<KeyUse> key);

    /** Records the present state. */
    void update(Maintenance maintenance);

    Optional<Maintenance> find(UUID id);

    /** Returns the maintenances of a cluster, newest first. */
    List<Maintenance> of(ClusterId cluster);

    /** Returns the maintenances with windows that must still be recorded. */
    List<Maintenance> atWork();
}
