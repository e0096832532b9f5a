package berth.broker;

import berth.desk.KeyUse;
import java.util.List;
import java.util.Optional;

/** Where collected requests without a cluster are kept. What is answered is durable. */
public interface IntakeStore {

    /** Records one that waits, and the key that asked for it. */
    void create(CollectedRequest collected, Optional<KeyUse> key);

    /** Records what has become of one, and the key that asked for it. */
    void end(CollectedRequest ended, Optional<KeyUse> key);

    /** Those that wait. */
    List<CollectedRequest> waiting();
}
