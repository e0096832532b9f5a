package berth.instances;

import java.util.List;
import java.util.Optional;

/** The instances on one database: one is active, the others stand by. Only the database determines which one is active. Thread-safe. */
public interface Instances {

    /** Which instance must answer a call that has arrived here. */
    sealed interface Turn {
        /** This instance. */
        record Here() implements Turn {}

        /** Another instance, which is active. */
        record There(Instance active) implements Turn {}

        /** None at present: a takeover is in progress, or this instance does not know the active one. */
        record Nobody() implements Turn {}
    }

    Turn turn();

    /** Returns all live instances in the order of their starts. */
    List<Instance> all();

    /** Returns this instance; empty until it has an address. */
    Optional<Instance> self();

    /** Returns why this instance could not become active if it had to; empty if nothing is known to prevent it. */
    Optional<String> obstacle();
}
