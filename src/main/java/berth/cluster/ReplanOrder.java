package berth.cluster;

import berth.reservation.ReservationId;
import berth.sla.Terms;

/** The order in which the waiting queue is placed anew: the strategies of papers 000 (section 3.1) and 003 (section 3.3). */
public enum ReplanOrder {
    /** In the order in which they were accepted. */
    FIFO,
    /**
     * In a random order, another one for each newcomer. The draw is a hash of both names, so that the same decision on the
     * same schedule is the same.
     */
    SHUFFLE,
    /** The most PE-seconds first, in the largest shape. */
    BIGGEST_JOB_FIRST,
    /** The least slack first: deadline - the later of ready time and now - run time, paper 000's delta. */
    LEAST_FLEXIBLE_FIRST,
    /** The earliest deadline first. */
    EARLIEST_DEADLINE_FIRST,
    /** Whoever is closest to missing its deadline first: deadline - now - run time in the largest shape (paper 003). */
    MISSING_DEADLINE_FIRST;

    /**
     * The place of a run in this order: the lower, the earlier. Only comparable for the same newcomer and time.
     *
     * @param id the run's name
     * @param acceptedAt when it was accepted, seconds since the epoch
     * @param newcomer the name of the run for which the queue is placed anew
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
            // now is the same for all
            case MISSING_DEADLINE_FIRST -> terms.latestStart();
        };
    }

    /** Whether a rank depends on nothing but the run itself. */
    public boolean isSteady() {
        return this != SHUFFLE && this != LEAST_FLEXIBLE_FIRST;
    }

    private static long mixed(ReservationId id) {
        return mixed(id.value().getMostSignificantBits() + mixed(id.value().getLeastSignificantBits()));
    }

    /** The finishing step of SplitMix64: similar numbers become unlike ones. */
    private static long mixed(long number) {
        long bits = number + 0x9E3779B97F4A7C15L;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }
}
