package berth.experiment.whatif;

import berth.simulation.Booking;
import berth.simulation.JobRun;
import berth.simulation.QueueHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What came out of a run, beside that of the same jobs without reservations.
 *
 * @param requests how many were made
 * @param granted how many of them were
 * @param pressed the fifth of the requests that were made at the highest load L_r
 * @param pressedGranted how many of these were granted
 * @param growth by how much later the last job ended, in percent of the time from the first submission to the last end of
 *     a job without reservations
 * @param growthOfAll the same to the last end of jobs and reservations
 * @param change of the sum of all waits of jobs, in seconds; less than 0 if they waited less
 * @param delayed the jobs that waited longer, in the order of their starts
 */
record WhatIfFigures(
        int requests,
        int granted,
        int pressed,
        int pressedGranted,
        double growth,
        double growthOfAll,
        long change,
        List<Delayed> delayed) {
    private static final double HOUR = 3600;

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

    WhatIfFigures {
        delayed = List.copyOf(delayed);
    }

    /**
     * The figures of a run.
     *
     * @param without the run of the same jobs without reservations
     */
    static WhatIfFigures of(QueueHistory with, QueueHistory without) {
        List<Booking> byLoad = with.bookings().stream()
                .sorted(Comparator.comparingDouble(Booking::backlog).reversed())
                .toList();
        List<Booking> pressed = byLoad.subList(0, byLoad.size() / 5);
        long first = without.jobs().getFirst().job().submit();
        double span = without.lastJobEnd() - first;
        return new WhatIfFigures(
                with.bookings().size(),
                granted(with.bookings()),
                pressed.size(),
                granted(pressed),
                100 * (with.lastJobEnd() - without.lastJobEnd()) / span,
                100 * (with.lastEnd() - without.lastJobEnd()) / span,
                waits(with) - waits(without),
                delayed(with.jobs(), without.jobs()));
    }

    private static int granted(List<Booking> bookings) {
        return (int) bookings.stream()
                .filter(booking -> booking.granted().isPresent())
                .count();
    }

    private static long waits(QueueHistory history) {
        return history.jobs().stream().mapToLong(JobRun::waited).sum();
    }

    private static List<Delayed> delayed(List<JobRun> with, List<JobRun> without) {
        List<Delayed> delayed = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            var one = new Delayed(
                    with.get(i).start(), without.get(i).waited(), with.get(i).waited());
            if (one.extra() > 0) {
                delayed.add(one);
            }
        }
        delayed.sort(Comparator.comparingLong(Delayed::start));
        return delayed;
    }

    /** The share of the requests that were granted, in percent. */
    double success() {
        return 100.0 * granted / requests;
    }

    /** The same of those that were made at the highest load. */
    double pressedSuccess() {
        return 100.0 * pressedGranted / pressed;
    }

    /** How many jobs waited longer. */
    double delayedJobs() {
        return delayed.size();
    }

    /** How long these waited without reservations on average, in seconds; NaN if there are none. */
    double meanOriginal() {
        return mean(Delayed::original);
    }

    /** How long they waited on average, in seconds; NaN if there are none. */
    double meanAffected() {
        return mean(Delayed::affected);
    }

    /** How much longer they waited on average, in seconds; 0 if there are none. */
    double meanExtra() {
        return delayed.isEmpty() ? 0 : mean(Delayed::extra);
    }

    private double mean(ToDoubleFunction<Delayed> figure) {
        return delayed.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    /** How much longer they waited in all, in hours. */
    double totalExtra() {
        return delayed.stream().mapToLong(Delayed::extra).sum() / HOUR;
    }

    /** The share of that which belongs to jobs that began in the ten hours of the run that have most of it, in percent. */
    double inTenHours() {
        var byHour = new TreeMap<Long, Long>();
        delayed.forEach(one -> byHour.merge(one.start() / (long) HOUR, one.extra(), Long::sum));
        long most = byHour.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(10)
                .mapToLong(Long::longValue)
                .sum();
        return delayed.isEmpty() ? 0 : 100 * most / (totalExtra() * HOUR);
    }
}
