package berth.desk;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;

/**
 * A process of Berth on a database.
 *
 * @param id which no other process ever has
 * @param name what a person calls it
 * @param url where the others reach it
 * @param version of Berth
 * @param heardAt when it was heard of last, by the database's clock
 */
public record Instance(UUID id, String name, URI url, String version, State state, Instant startedAt, Instant heardAt) {

    /** What an instance does. */
    public enum State {
        /** Passes calls on to the one that decides, and takes its place when that ends. */
        STANDBY,

        /** Decides. */
        ACTIVE,

        /** Ends, and lets another one decide. */
        LEAVING
    }

    /** The same, heard of at another time. */
    public Instance heard(Instant at) {
        return new Instance(id, name, url, version, state, startedAt, at);
    }

    /** The same in another state. */
    public Instance in(State next) {
        return new Instance(id, name, url, version, next, startedAt, heardAt);
    }
}
