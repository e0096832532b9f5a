package berth.lab.experiment.whatif;

import berth.lab.experiment.whatif.Delays.Delayed;
import berth.lab.simulation.JobRun;
import berth.lab.simulation.QueueHistory;
import berth.lab.simulation.SimulatedBooking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The figures of a run compared with the same jobs without reservations.
 *
 * @param requests the number of requests
 * @param granted the number of granted requests
 * @param pressed the requests made at the highest load
 * @param growth how much later the last job ended, in percent of the time from the first submission to the last end of a job without
 *     reservations
 * @param growthOfAll the same for the last end of jobs and reservations
 * @param change the change of the sum of all waits of jobs, in seconds; negative if they waited less
 * @param delays the jobs that waited longer
 * @param delayed these jobs in the order of their starts; empty if they are not shown one by one
 */
record WhatIfFigures(
        int requests,
        int granted,
        Pressed pressed,
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
     * The requests made at the highest load, a fifth of all.
     *
     * @param requests their number
     * @param granted how many were granted of those made at the highest load L_r
     * @param byJobs how many were granted of as many requests made at the highest backlog of jobs only
     */
    record Pressed(int requests, int granted, int byJobs) {

        private static Pressed of(QueueHistory with) {
            var pressed = most(with.bookings(), SimulatedBooking::backlog);
            var byJobs = most(with.bookings(), booking -> ofJobs(with.jobs(), booking));
            return new Pressed(pressed.size(), WhatIfFigures.granted(pressed), WhatIfFigures.granted(byJobs));
        }

        /** Returns the share of granted requests, in percent. */
        double success() {
            return 100.0 * granted / requests;
        }

        /** Returns the same share, with the backlog of jobs only as the load. */
        double successByJobs() {
            return 100.0 * byJobs / requests;
        }
    }

    /**
     * Returns the figures of a run.
     *
     * @param without the run of the same jobs without reservations
     */
    static WhatIfFigures of(QueueHistory with, QueueHistory without) {
        long first = without.jobs().getFirst().job().submit();
        double span = without.lastJobEnd() - first;
        List<JobRun> same = inBoth(with, without);
        List<Delayed> delayed = delayed(same, without.jobs());
        return new WhatIfFigures(
                with.bookings().size(),
                granted(with.bookings()),
                Pressed.of(with),
                100 * (with.lastJobEnd() - without.lastJobEnd()) / span,
                100 * (with.lastEnd() - without.lastJobEnd()) / span,
                waits(same) - waits(without.jobs()),
                Delays.of(delayed),
                delayed);
    }

    private static List<SimulatedBooking> most(
            List<SimulatedBooking> bookings, ToDoubleFunction<SimulatedBooking> load) {
        return bookings.stream()
                .sorted(Comparator.comparingDouble(load).reversed())
                .limit(bookings.size() / PRESSED)
                .toList();
    }

    private static int granted(List<SimulatedBooking> bookings) {
        return (int) bookings.stream()
                .filter(booking -> booking.granted().isPresent())
                .count();
    }

    /** Returns the backlog of jobs at the time of a request, in seconds of one node: footnote 5. */
    private static double ofJobs(List<JobRun> runs, SimulatedBooking booking) {
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

    /** Returns the jobs without those that became jobs only when their reservations were refused. */
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

    /** Returns the same figures without the list of delayed jobs. */
    WhatIfFigures withoutTimes() {
        return new WhatIfFigures(requests, granted, pressed, growth, growthOfAll, change, delays, List.of());
    }

    /** Returns the share of granted requests, in percent. */
    double success() {
        return 100.0 * granted / requests;
    }

    /** Returns how many jobs waited longer. */
    double delayedJobs() {
        return delays.jobs();
    }

    /** Returns the mean wait of the delayed jobs without reservations, in seconds; NaN if there are none. */
    double meanOriginal() {
        return delays.meanOriginal();
    }

    /** Returns the mean wait of the delayed jobs, in seconds; NaN if there are none. */
    double meanAffected() {
        return delays.meanAffected();
    }

    /** Returns the mean extra wait of the delayed jobs, in seconds; 0 if there are none. */
    double meanExtra() {
        return delays.meanExtra();
    }

    /** Returns the total extra wait of the delayed jobs, in hours. */
    double totalExtra() {
        return delays.extra() / HOUR;
    }

    /** Returns the share of the extra wait of jobs that began in the ten hours with the most of it, in percent. */
    double inTenHours() {
        return delays.shareInTenHours();
    }
}
