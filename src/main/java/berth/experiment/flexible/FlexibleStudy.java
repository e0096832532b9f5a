package berth.experiment.flexible;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.experiment.Findings;
import berth.experiment.Seeds;
import berth.experiment.Study;
import berth.simulation.Figures;
import berth.simulation.Job;
import berth.simulation.Simulation;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.JobWindows;
import berth.workload.ReservationRequest;
import berth.workload.SwfJob;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The study of paper 000, section 4: every window of a log by itself, on 128 PEs, in each {@link Scenario} of its figures.
 * All scenarios have the same jobs with the same ready times; flexible requests are the same ones whatever the interval.
 *
 * @param seed of the whole
 */
record FlexibleStudy(JobWindows jobs, long seed) implements Study<FlexibleRun, Figures> {
    static final int PES = 128;
    static final long WINDOW = 15L * 86_400;
    static final List<Double> LOADS = List.of(1.0, 1.25, 1.5);
    static final List<ReplanOrder> ORDERS = List.of(
            ReplanOrder.SHUFFLE,
            ReplanOrder.FIFO,
            ReplanOrder.BIGGEST_JOB_FIRST,
            ReplanOrder.LEAST_FLEXIBLE_FIRST,
            ReplanOrder.EARLIEST_DEADLINE_FIRST);
    static final List<Interval> FLEXIBLE = List.of(Interval.SHORT, Interval.MEDIUM, Interval.LONG);

    private static final double FLEXIBLE_SHARE = 0.5;
    private static final double MEAN_PERCENT = 80;

    /** All scenarios, in a fixed order. */
    static Set<Scenario> scenarios() {
        Set<Scenario> all = new LinkedHashSet<>();
        for (double load : LOADS) {
            for (Interval interval : Interval.values()) {
                ORDERS.forEach(order -> all.add(Scenario.of(order, interval, load)));
                all.add(Scenario.of(interval, load).with(RunTimes.OVERESTIMATED));
            }
            for (Interval interval : FLEXIBLE) {
                for (FixedAt fixedAt : FixedAt.values()) {
                    all.add(Scenario.of(interval, load).with(fixedAt));
                }
                all.add(Scenario.of(Interval.FIXED, load).suggesting(interval));
            }
        }
        return all;
    }

    /** How many windows there are. */
    int windows() {
        return jobs.windows().size();
    }

    @Override
    public String name() {
        return "000";
    }

    @Override
    public String title() {
        return "Paper 000: %d PEs, %s, windows of 15 days: %d, seed %d".formatted(PES, jobs.source(), windows(), seed);
    }

    @Override
    public List<FlexibleRun> runs() {
        return scenarios().stream()
                .flatMap(scenario ->
                        IntStream.rangeClosed(1, windows()).mapToObj(window -> new FlexibleRun(scenario, window)))
                .toList();
    }

    /** The seed of what is drawn for a window. */
    long seedOf(int window) {
        return Seeds.ofRepetition(seed, window);
    }

    /** Seconds in which the requests of a window come. */
    double span(double load) {
        return jobs.length() / load;
    }

    @Override
    public Figures figures(FlexibleRun run) {
        return Figures.of(Simulation.run(cluster(run.scenario().order()), jobs(run), seedOf(run.window())));
    }

    @Override
    public Class<Figures> kept() {
        return Figures.class;
    }

    @Override
    public Findings findings(Map<FlexibleRun, Figures> figures) {
        return new FlexibleResults(this, figures).findings();
    }

    /** The jobs that a run asks reservations for. */
    List<Job> jobs(FlexibleRun run) {
        Scenario scenario = run.scenario();
        long drawn = seedOf(run.window());
        var requests = new AdvanceReservationRecipe(
                        PES, drawn, FLEXIBLE_SHARE, scenario.interval().percent())
                .draws();
        var percent =
                PoissonSampler.of(RandomSource.XO_SHI_RO_256_PP.create(Seeds.ofRepetition(drawn, 2)), MEAN_PERCENT);
        List<Job> asked = new ArrayList<>();
        for (SwfJob job : jobs.windows().get(run.window() - 1)) {
            var denser = job.submittedAt((long) (job.submit() / scenario.load()));
            if (requests.requestOf(denser) instanceof ReservationRequest request) {
                asked.add(job(scenario, request, Math.clamp(percent.sample(), 1, 100)));
            }
        }
        return asked;
    }

    private static Job job(Scenario scenario, ReservationRequest request, int percent) {
        Job job = Job.asReserved(request)
                .taking(scenario.runTimes() == RunTimes.OVERESTIMATED ? percent : 100)
                .fixed(scenario.fixedAt().fixing());
        return scenario.suggested() == Interval.FIXED
                ? job
                : job.orElseUpTo(scenario.suggested().phi());
    }

    private static Cluster cluster(ReplanOrder order) {
        return Cluster.of("sp2", PES)
                .under(Policy.STANDARD.replacing(Juggling.ALWAYS, order).ahead(Policy.MAX_HORIZON, 0));
    }
}
