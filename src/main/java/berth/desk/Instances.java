package berth.desk;

import java.util.List;

/**
 * The instances on one database: one of them decides, the others stand by. Which one it is, is said by the database alone. Safe to use
 * from any thread.
 */
public interface Instances {

    /** Who is to answer a call that has come here. */
    sealed interface Turn {
        /** This instance. */
        record Here() implements Turn {}

        /** Another one, which decides at present. */
        record There(Instance active) implements Turn {}

        /** Nobody at present: one is about to take over, or this one cannot tell. */
        record Nobody() implements Turn {}
    }

    Turn turn();

    /** All instances that are alive, in the order of their starts. */
    List<Instance> all();
}
