package berth.instances;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;

/**
 * A Berth process on a database.
 *
 * @param id unique among all processes, past and present
 * @param name the name that people use
 * @param url where other instances reach it
 * @param version the version of Berth
 * @param heardAt the time of its last heartbeat, by the database's clock
 */
public record Instance(UUID id, String name, URI url, String version, State state, Instant startedAt, Instant heardAt) {

    /** The state of an instance. */
    public enum State {
        /** It forwards calls to the active instance and replaces it when that ends. */
        STANDBY,

        /** It decides. */
        ACTIVE,

        /** It is ending and lets another instance take over. */
        LEAVING
    }

    /** Returns the same instance with its last heartbeat at that time. */
    public Instance heard(Instant at) {
        return new Instance(id, name, url, version, state, startedAt, at);
    }

    /** Returns the same instance in another state. */
    public Instance in(State next) {
        return new Instance(id, name, url, version, next, startedAt, heardAt);
    }
}
