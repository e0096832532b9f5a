package berth.lab.experiment.advisor;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.lab.experiment.RunEnds;
import berth.lab.simulation.Job;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.JobWindows;
import berth.lab.workload.SkipReason;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests that the jobs of a log make, and a machine with the standard settings.
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
record LogWorkload(
        JobWindows jobs,
        int pes,
        double flexibleShare,
        double flexibility,
        double load,
        RunEnds ends,
        BigDecimal alternativesUpTo,
        long notice)
        implements Workload {

    /** Returns the workload without windows in which no job makes a request; empty if none is left. */
    Optional<LogWorkload> withoutIdleWindows() {
        var made = recipe(0);
        return jobs.having(job -> made.leftOut(job).isEmpty())
                .map(asking ->
                        new LogWorkload(asking, pes, flexibleShare, flexibility, load, ends, alternativesUpTo, notice));
    }

    @Override
    public String source() {
        return jobs.source();
    }

    @Override
    public Cluster machine() {
        return Cluster.of("replayed", pes).under(Policy.STANDARD.withHorizon(Policy.MAX_HORIZON, notice));
    }

    @Override
    public String baseline() {
        return "standard";
    }

    @Override
    public Set<Binding> bindings() {
        return EnumSet.allOf(Binding.class);
    }

    @Override
    public long length() {
        return jobs.length();
    }

    @Override
    public int windows() {
        return jobs.windows().size();
    }

    @Override
    public List<Job> requests(int window, long seed) {
        return orAlternatives(recipe(seed).of(jobs.windows().get(window - 1)));
    }

    @Override
    public List<List<String>> contents() {
        List<List<String>> rows = new ArrayList<>();
        jobs.faults().texts().forEach(fault -> rows.add(List.of("in the log", fault)));
        int all = jobs.windows().stream().mapToInt(List::size).sum();
        rows.add(List.of("jobs of the windows", String.valueOf(all)));
        leftOut()
                .forEach((reason, count) -> rows.add(List.of(
                        switch (reason) {
                            case SHORT -> "left out: below 60 s";
                            case NO_PES -> "left out: PEs unknown";
                            case TOO_LARGE -> "left out: more than %d PEs".formatted(pes);
                        },
                        String.valueOf(count))));
        return rows;
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

    private ReservationJobs recipe(long seed) {
        return new ReservationJobs(new AdvanceReservationRecipe(pes, seed, flexibleShare, flexibility), load, ends);
    }
}
