package berth.series;

import berth.desk.KeyUse;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Where maintenances are kept. What is answered is durable. */
public interface MaintenanceStore {

    /** Records one that is new, and the key that asked for it. */
    void create(Maintenance maintenance, Optional<KeyUse> key);

    /** Records one as it has become. */
    void update(Maintenance maintenance);

    Optional<Maintenance> find(UUID id);

    /** Those of a cluster, newest first. */
    List<Maintenance> of(ClusterId cluster);

    /** Those of which windows are still to be recorded. */
    List<Maintenance> atWork();
}
