package berth.cluster;

import berth.reservation.ReservationId;
import berth.sla.Terms;

/** The order in which Berth replans the waiting queue: the strategies of papers 000 (section 3.1) and 003 (section 3.3). */
public enum ReplanOrder {
    /** By the time of acceptance. */
    FIFO,
    /**
     * Random, with a new order for each newcomer. The draw is a hash of both ids, so the same decision on the same schedule has the same
     * result.
     */
    SHUFFLE,
    /** The most PE-seconds in the largest shape first. */
    BIGGEST_JOB_FIRST,
    /** The least slack first, which is deadline - max(ready time, now) - run time (paper 000's delta). */
    LEAST_FLEXIBLE_FIRST,
    /** The earliest deadline first. */
    EARLIEST_DEADLINE_FIRST,
    /** The reservation closest to missing its deadline first, by deadline - now - run time in the largest shape (paper 003). */
    MISSING_DEADLINE_FIRST;

    /**
     * Returns the position of a run in this order; lower comes first. Ranks are comparable only for the same newcomer and time.
     *
     * @param id the id of the run
     * @param acceptedAt when the run was accepted, in seconds since the epoch
     * @param newcomer the id of the run that needs room
     * @param now seconds since the epoch
     */
    public long rank(ReservationId id, Terms terms, long acceptedAt, ReservationId newcomer, long now) {
        return switch (this) {
            case FIFO -> acceptedAt;
            case SHUFFLE -> mixed(mixed(newcomer) + mixed(id));
            case BIGGEST_JOB_FIRST -> -terms.work();
            case LEAST_FLEXIBLE_FIRST ->
                terms.latestStart() - Math.max(terms.window().readyTime(), now);
            case EARLIEST_DEADLINE_FIRST -> terms.window().deadline();
            // now is the same for all runs
            case MISSING_DEADLINE_FIRST -> terms.latestStart();
        };
    }

    /** Whether a rank depends only on the run itself. */
    public boolean isSteady() {
        return this != SHUFFLE && this != LEAST_FLEXIBLE_FIRST;
    }

    private static long mixed(ReservationId id) {
        return mixed(id.value().getMostSignificantBits() + mixed(id.value().getLeastSignificantBits()));
    }

    /** Mixes the bits of a number with the last step of SplitMix64, so that similar numbers give different results. */
    private static long mixed(long number) {
        long bits = number + 0x9E3779B97F4A7C15L;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
