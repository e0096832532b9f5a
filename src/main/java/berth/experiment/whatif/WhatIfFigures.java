package berth.experiment.whatif;

import berth.experiment.whatif.Delays.Delayed;
import berth.simulation.Booking;
import berth.simulation.JobRun;
import berth.simulation.QueueHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What came out of a run, beside that of the same jobs without reservations.
 *
 * @param requests how many were made
 * @param granted how many of them were
 * @param pressed the fifth of the requests that were made at the highest load L_r
 * @param pressedGranted how many of these were granted
 * @param pressedByJobs how many of as many that were made at the highest backlog of jobs alone
 * @param growth by how much later the last job ended, in percent of the time from the first submission to the last end of
 *     a job without reservations
 * @param growthOfAll the same to the last end of jobs and reservations
 * @param change of the sum of all waits of jobs, in seconds; less than 0 if they waited less
 * @param delays of the jobs that waited longer
 * @param delayed these jobs, in the order of their starts; empty where they are not shown one by one
 */
record WhatIfFigures(
        int requests,
        int granted,
        int pressed,
        int pressedGranted,
        int pressedByJobs,
        double growth,
        double growthOfAll,
        long change,
        Delays delays,
        List<Delayed> delayed) {
    private static final double HOUR = 3600;
    private static final int PRESSED = 5;

    WhatIfFigures {
        delayed = List.copyOf(delayed);
    }

    /**
     * The figures of a run.
     *
     * @param without the run of the same jobs without reservations
     */
    static WhatIfFigures of(QueueHistory with, QueueHistory without) {
        List<Booking> pressed = most(with.bookings(), Booking::backlog);
        long first = without.jobs().getFirst().job().submit();
        double span = without.lastJobEnd() - first;
        List<JobRun> same = inBoth(with, without);
        List<Delayed> delayed = delayed(same, without.jobs());
        return new WhatIfFigures(
                with.bookings().size(),
                granted(with.bookings()),
                pressed.size(),
                granted(pressed),
                granted(most(with.bookings(), booking -> ofJobs(with.jobs(), booking))),
                100 * (with.lastJobEnd() - without.lastJobEnd()) / span,
                100 * (with.lastEnd() - without.lastJobEnd()) / span,
                waits(same) - waits(without.jobs()),
                Delays.of(delayed),
                delayed);
    }

    private static List<Booking> most(List<Booking> bookings, ToDoubleFunction<Booking> load) {
        return bookings.stream()
                .sorted(Comparator.comparingDouble(load).reversed())
                .limit(bookings.size() / PRESSED)
                .toList();
    }

    private static int granted(List<Booking> bookings) {
        return (int) bookings.stream()
                .filter(booking -> booking.granted().isPresent())
                .count();
    }

    /** The backlog of jobs when a request was made, in seconds of one node: footnote 5. */
    private static double ofJobs(List<JobRun> runs, Booking booking) {
        long now = booking.request().submit();
        double area = 0;
        for (JobRun run : runs) {
            if (run.job().submit() > now) {
                break;
            }
            if (run.end() > now) {
                long left = run.job().estimate() - Math.max(0, now - run.start());
                area += (double) left * run.job().pes();
            }
        }
        return area;
    }

    private static long waits(List<JobRun> runs) {
        return runs.stream().mapToLong(JobRun::waited).sum();
    }

    /** Without those that were no jobs before their reservations were refused. */
    private static List<JobRun> inBoth(QueueHistory with, QueueHistory without) {
        Set<Long> numbers =
                without.jobs().stream().map(run -> run.job().number()).collect(Collectors.toSet());
        return with.jobs().stream()
                .filter(run -> numbers.contains(run.job().number()))
                .toList();
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

    /** The same, but that delayed jobs are not shown one by one. */
    WhatIfFigures withoutTimes() {
        return new WhatIfFigures(
                requests,
                granted,
                pressed,
                pressedGranted,
                pressedByJobs,
                growth,
                growthOfAll,
                change,
                delays,
                List.of());
    }

    /** The share of the requests that were granted, in percent. */
    double success() {
        return 100.0 * granted / requests;
    }

    /** The same of those that were made at the highest load. */
    double pressedSuccess() {
        return 100.0 * pressedGranted / pressed;
    }

    /** The same, where the load is the backlog of jobs alone. */
    double successByJobs() {
        return 100.0 * pressedByJobs / pressed;
    }

    /** How many jobs waited longer. */
    double delayedJobs() {
        return delays.jobs();
    }

    /** How long these waited without reservations on average, in seconds; NaN if there are none. */
    double meanOriginal() {
        return delays.meanOriginal();
    }

    /** How long they waited on average, in seconds; NaN if there are none. */
    double meanAffected() {
        return delays.meanAffected();
    }

    /** How much longer they waited on average, in seconds; 0 if there are none. */
    double meanExtra() {
        return delays.meanExtra();
    }

    /** How much longer they waited in all, in hours. */
    double totalExtra() {
        return delays.extra() / HOUR;
    }

    /** The share of that which belongs to jobs that began in the ten hours of the run that have most of it, in percent. */
    double inTenHours() {
        return delays.shareInTenHours();
    }
}
