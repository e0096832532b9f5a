package berth.lab.experiment.flexible;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Judged;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Sp2Setup;
import berth.lab.experiment.Study;
import berth.lab.simulation.Job;
import berth.lab.simulation.Simulation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The study of paper 000, section 4: every window of a log on its own, on 128 PEs, in each {@link Scenario} of its figures. All scenarios
 * have the same jobs with the same ready times, and the same requests are flexible whatever the interval.
 *
 * @param version the reading of the paper
 * @param judged the claims that it judges
 */
record FlexibleStudy(Sp2Setup setup, Version version, Judged judged) implements Study<FlexibleRun, FlexibleFigures> {
    static final List<Double> LOADS = List.of(1.0, 1.25, 1.5);
    static final List<ReplanOrder> ORDERS = List.of(
            ReplanOrder.SHUFFLE,
            ReplanOrder.FIFO,
            ReplanOrder.BIGGEST_JOB_FIRST,
            ReplanOrder.LEAST_FLEXIBLE_FIRST,
            ReplanOrder.EARLIEST_DEADLINE_FIRST);
    static final List<Interval> FLEXIBLE = List.of(Interval.SHORT, Interval.MEDIUM, Interval.LONG);

    /** Returns the experiments to run. */
    List<Experiment> experiments() {
        return judged == Judged.ALL ? List.of(Experiment.values()) : version.experiments();
    }

    /** Returns the scenarios of the experiments to run, in a fixed order. */
    Set<Scenario> scenarios() {
        Set<Scenario> needed = new LinkedHashSet<>(all());
        needed.removeIf(scenario -> experiments().stream().noneMatch(experiment -> experiment.has(scenario)));
        return needed;
    }

    private static Set<Scenario> all() {
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

    @Override
    public String name() {
        return version.study();
    }

    @Override
    public String title() {
        return setup.title("000", version.words().isEmpty() ? "" : " (%s)".formatted(version.words()));
    }

    @Override
    public Optional<PaperLog> paperLog() {
        return PaperLog.of(setup.jobs().source());
    }

    @Override
    public List<FlexibleRun> runs() {
        return scenarios().stream()
                .flatMap(scenario ->
                        IntStream.rangeClosed(1, setup.windows()).mapToObj(window -> new FlexibleRun(scenario, window)))
                .toList();
    }

    /** Returns the time in which the requests of a window arrive, in seconds. */
    double span(double load) {
        return new FlexibleJobs(setup, version).span(load);
    }

    /** Returns the jobs of a run. */
    List<Job> jobs(FlexibleRun run) {
        return new FlexibleJobs(setup, version).of(run);
    }

    @Override
    public FlexibleFigures figures(FlexibleRun run) {
        return FlexibleFigures.of(
                Simulation.run(cluster(run.scenario().order()), jobs(run), setup.seedOf(run.window())));
    }

    @Override
    public Class<FlexibleFigures> kept() {
        return FlexibleFigures.class;
    }

    @Override
    public Findings findings(Map<FlexibleRun, FlexibleFigures> figures) {
        return new FlexibleResults(this, figures).findings();
    }

    private Cluster cluster(ReplanOrder order) {
        return Cluster.of("sp2", Sp2Setup.PES)
                .under(Policy.STANDARD
                        .withReplanning(
                                Replanning.of(Juggling.ALWAYS, order).pullingForward(version == Version.PULLED_FORWARD))
                        .withHorizon(Policy.MAX_HORIZON, 0));
    }
}
