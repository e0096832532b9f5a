package berth.lab.experiment.advisor;

import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.lab.experiment.RunEnds;
import berth.lab.simulation.Job;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobWindows;
import berth.lab.workload.SkipReason;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The requests with which every setting is tried, and the machine.
 *
 * @param jobs the jobs in windows, each with at least one request
 * @param pes the PEs of the machine
 * @param flexibleShare the share of flexible requests, in [0, 1]
 * @param flexibility by how much the windows of these are longer than the run, on average, in percent
 * @param load the factor by which requests are denser
 * @param ends how much of the reserved time runs take
 * @param alternativesUpTo the largest |φ| of alternatives that refused requests accept; 0 if they accept none
 * @param notice how long before its planned start a reservation stops moving, in seconds
 */
record Workload(
        JobWindows jobs,
        int pes,
        double flexibleShare,
        double flexibility,
        double load,
        RunEnds ends,
        BigDecimal alternativesUpTo,
        long notice) {

    /** Returns the workload without windows in which no job makes a request; empty if none is left. */
    Optional<Workload> withoutIdleWindows() {
        var made = recipe(0);
        return jobs.having(job -> made.leftOut(job).isEmpty())
                .map(asking ->
                        new Workload(asking, pes, flexibleShare, flexibility, load, ends, alternativesUpTo, notice));
    }

    /** Returns the number of windows. */
    int windows() {
        return jobs.windows().size();
    }

    /** Returns the time in which the requests of a window arrive, in seconds. */
    double span() {
        return jobs.length() / load;
    }

    /**
     * Returns the requests of a window.
     *
     * @param window counted from 1
     * @param seed the seed of its draws
     */
    List<Job> requests(int window, long seed) {
        var asked = recipe(seed).of(jobs.windows().get(window - 1));
        return alternativesUpTo.signum() == 0
                ? asked
                : asked.stream().map(job -> job.orElseUpTo(alternativesUpTo)).toList();
    }

    /** Returns how many jobs of all windows make no request, by reason. */
    Map<SkipReason, Integer> leftOut() {
        Map<SkipReason, Integer> counts = new EnumMap<>(SkipReason.class);
        var made = recipe(0);
        for (var window : jobs.windows()) {
            window.forEach(job -> made.leftOut(job).ifPresent(reason -> counts.merge(reason, 1, Integer::sum)));
        }
        return counts;
    }

    /** Returns the number of jobs in all windows. */
    int size() {
        return jobs.windows().stream().mapToInt(List::size).sum();
    }

    /** Returns the machine with a setting, empty. */
    Cluster cluster(Setting setting) {
        return setting.on(Cluster.of("replayed", pes).under(Policy.STANDARD.withHorizon(Policy.MAX_HORIZON, notice)));
    }

    /** Returns the numbers of all windows, counted from 1. */
    List<Integer> numbers() {
        return IntStream.rangeClosed(1, windows()).boxed().toList();
    }

    private ReservationJobs recipe(long seed) {
        return new ReservationJobs(new AdvanceReservationRecipe(pes, seed, flexibleShare, flexibility), load, ends);
    }
}
