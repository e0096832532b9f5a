package berth.booking;

import berth.engine.KeyUse;
import java.util.List;
import java.util.Optional;

/** Stores collected requests without a cluster durably. */
public interface IntakeStore {

    /** Records a waiting request and its key. */
    void create(CollectedRequest collected, Optional<KeyUse> key);

    /** Records the result of a request and the key of the call that caused it. */
    void end(CollectedRequest ended, Optional<KeyUse> key);

    /** Returns the waiting requests. */
    List<CollectedRequest> waiting();
}
