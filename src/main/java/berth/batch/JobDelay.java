package berth.batch;

import java.util.OptionalLong;

/**
 * A change of the planned start of a waiting job to a later time.
 *
 * @param from the planned start before, in seconds since the epoch
 * @param to the planned start afterwards; empty if it can no longer be foreseen
 * @param why the kind of reservation that caused it
 */
public record JobDelay(long from, OptionalLong to, Reason why) {

    /** The kind of change by which reservations delayed a job. */
    public enum Reason {
        /** A reservation was made. */
        RESERVED,
        /** A reservation got other terms or was extended. */
        RENEGOTIATED,
        /** A reservation moved or got other PEs. */
        MOVED
    }
}
