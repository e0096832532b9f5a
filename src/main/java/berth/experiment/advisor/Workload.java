package berth.experiment.advisor;

import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.experiment.RunEnds;
import berth.simulation.Job;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.JobWindows;
import berth.workload.SkipReason;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The requests that every setting is tried with, and the machine.
 *
 * @param jobs in windows, each of which has a job that asks
 * @param pes of the machine
 * @param flexibleShare of the requests, in [0, 1], that do not mind starting later
 * @param flexibility by how much these are longer than the run, mean in percent
 * @param load by which factor requests come denser
 * @param ends how much of what they reserve runs take
 * @param alternativesUpTo an alternative with at most this |φ| is taken by who is refused; 0: none is
 * @param notice seconds before its planned start from which a reservation is not moved any more
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

    /** The same without the windows in which no job asks; empty if none is left. */
    Optional<Workload> withoutIdleWindows() {
        var made = recipe(0);
        return jobs.having(job -> made.leftOut(job).isEmpty())
                .map(asking ->
                        new Workload(asking, pes, flexibleShare, flexibility, load, ends, alternativesUpTo, notice));
    }

    /** How many windows there are. */
    int windows() {
        return jobs.windows().size();
    }

    /** Seconds in which the requests of a window come. */
    double span() {
        return jobs.length() / load;
    }

    /**
     * The requests of a window.
     *
     * @param window counted from 1
     * @param seed of what is drawn for it
     */
    List<Job> requests(int window, long seed) {
        var asked = recipe(seed).of(jobs.windows().get(window - 1));
        return alternativesUpTo.signum() == 0
                ? asked
                : asked.stream().map(job -> job.orElseUpTo(alternativesUpTo)).toList();
    }

    /** How many jobs of all windows ask for nothing, by reason. */
    Map<SkipReason, Integer> leftOut() {
        Map<SkipReason, Integer> counts = new EnumMap<>(SkipReason.class);
        var made = recipe(0);
        for (var window : jobs.windows()) {
            window.forEach(job -> made.leftOut(job).ifPresent(reason -> counts.merge(reason, 1, Integer::sum)));
        }
        return counts;
    }

    /** How many jobs there are in all windows. */
    int size() {
        return jobs.windows().stream().mapToInt(List::size).sum();
    }

    /** The machine with some settings, empty. */
    Cluster cluster(Setting setting) {
        return setting.on(Cluster.of("replayed", pes).under(Policy.STANDARD.ahead(Policy.MAX_HORIZON, notice)));
    }

    /** All windows, counted from 1. */
    List<Integer> numbers() {
        return IntStream.rangeClosed(1, windows()).boxed().toList();
    }

    private ReservationJobs recipe(long seed) {
        return new ReservationJobs(new AdvanceReservationRecipe(pes, seed, flexibleShare, flexibility), load, ends);
    }
}
