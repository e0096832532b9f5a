package berth.experiment.whatif;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The jobs of a run that waited longer than without reservations.
 *
 * @param jobs how many
 * @param original how long they waited without reservations, in seconds, all together
 * @param affected how long they waited
 * @param inTenHours of what they waited longer, what belongs to jobs that began in the ten hours of the run that have most
 *     of it
 */
record Delays(int jobs, long original, long affected, long inTenHours) {
    private static final long HOUR = 3600;
    private static final int HOURS = 10;

    /**
     * A job that waited longer than without reservations.
     *
     * @param start when it began
     * @param original how long it waited without reservations, in seconds
     * @param affected how long it waited
     */
    record Delayed(long start, long original, long affected) {
        long extra() {
            return affected - original;
        }
    }

    static Delays of(List<Delayed> delayed) {
        return new Delays(
                delayed.size(),
                delayed.stream().mapToLong(Delayed::original).sum(),
                delayed.stream().mapToLong(Delayed::affected).sum(),
                inTenHours(delayed));
    }

    private static long inTenHours(List<Delayed> delayed) {
        var byHour = new TreeMap<Long, Long>();
        delayed.forEach(one -> byHour.merge(one.start() / HOUR, one.extra(), Long::sum));
        return byHour.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(HOURS)
                .mapToLong(Long::longValue)
                .sum();
    }

    /** How much longer they waited, in seconds. */
    long extra() {
        return affected - original;
    }

    /** How long they waited without reservations on average, in seconds; NaN if there are none. */
    double meanOriginal() {
        return (double) original / jobs;
    }

    /** How long they waited on average, in seconds; NaN if there are none. */
    double meanAffected() {
        return (double) affected / jobs;
    }

    /** How much longer they waited on average, in seconds; 0 if there are none. */
    double meanExtra() {
        return jobs == 0 ? 0 : (double) extra() / jobs;
    }

    /** The share of the extra wait that is in the ten hours that have most of it, in percent; 0 if there is none. */
    double shareInTenHours() {
        return jobs == 0 ? 0 : 100.0 * inTenHours / extra();
    }
}
