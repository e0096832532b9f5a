package berth.broker;

import berth.desk.KeyUse;
import berth.intake.IntakeRequest;
import java.util.List;
import java.util.Optional;

/** Where collected requests without a cluster are kept. What is answered is durable. */
public interface IntakeStore {

    /** Records one that waits, and the key that asked for it. */
    void create(Collected collected, Optional<KeyUse> key);

    /** Records what has become of one. */
    void end(Collected ended);

    /** Those that wait. */
    List<Collected> waiting();

    /** What a key asked for first, if that was collected. */
    Optional<First> first(KeyUse key);

    /** What a key was used for. */
    record First(String fingerprint, IntakeRequest request) {}
}
