package berth.lab.experiment.whatif;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The jobs of a run that waited longer than without reservations.
 *
 * @param jobs the number of jobs
 * @param original their total wait without reservations, in seconds
 * @param affected their total wait, in seconds
 * @param inTenHours the part of their extra wait, in seconds, that belongs to jobs that began in the ten hours of the run with the most of
 *     it
 */
record Delays(int jobs, long original, long affected, long inTenHours) {
    private static final long HOUR = 3600;
    private static final int HOURS = 10;

    /**
     * A job that waited longer than without reservations.
     *
     * @param start its start
     * @param original its wait without reservations, in seconds
     * @param affected its wait, in seconds
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

    /** Returns their total extra wait, in seconds. */
    long extra() {
        return affected - original;
    }

    /** Returns their mean wait without reservations, in seconds; NaN if there are none. */
    double meanOriginal() {
        return (double) original / jobs;
    }

    /** Returns their mean wait, in seconds; NaN if there are none. */
    double meanAffected() {
        return (double) affected / jobs;
    }

    /** Returns their mean extra wait, in seconds; 0 if there are none. */
    double meanExtra() {
        return jobs == 0 ? 0 : (double) extra() / jobs;
    }

    /** Returns the share of the extra wait in the ten hours with the most of it, in percent; 0 if there is none. */
    double shareInTenHours() {
        return jobs == 0 ? 0 : 100.0 * inTenHours / extra();
    }
}
