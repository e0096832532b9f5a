package berth.lab.experiment.adaptive;

import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.lab.experiment.Findings;
import berth.lab.experiment.JobSelection;
import berth.lab.experiment.Judged;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Sp2Setup;
import berth.lab.experiment.Study;
import berth.lab.simulation.Job;
import berth.lab.simulation.Simulation;
import berth.lab.workload.AdaptiveRequestRecipe;
import berth.lab.workload.AdaptiveRequestRecipe.Deadline;
import berth.lab.workload.SwfJob;
import berth.outcome.Outcome;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 003, section 4: every window of a log on its own, on 128 PEs, with six types of requests, two schedulers and six
 * loads. All runs of a window have the same jobs with the same service classes. A request that can be split at the smaller share can be
 * split at the larger one.
 *
 * @param selection which jobs become requests
 * @param reshaping whether waiting requests can change their shape when the queue is replanned
 * @param deadline the rule for deadlines
 * @param judged the claims that it judges; with other deadlines than those of our main reading, some are judged by the lowest and the
 *     highest load
 */
record AdaptiveStudy(Sp2Setup setup, JobSelection selection, Reshaping reshaping, Deadline deadline, Judged judged)
        implements Study<AdaptiveRun, AdaptiveFigures> {
    static final List<Double> LOADS = List.of(1.0, 1.1, 1.2, 1.3, 1.4, 1.5);

    /** The load of the log itself. */
    static final double NORMAL = LOADS.getFirst();

    /** The highest load. */
    static final double HIGH = LOADS.getLast();
    /** The discounts for requests that can be split, in percent. */
    static final List<Integer> INCENTIVES = List.of(0, 10, 20, 30, 40);

    /** Returns the study by our main reading: Algorithm 1, which chooses a shape, places all waiting requests. */
    static AdaptiveStudy of(Sp2Setup setup, JobSelection selection) {
        return new AdaptiveStudy(setup, selection, Reshaping.ALWAYS, Deadline.FIVE_RUN_TIMES, Judged.ALL);
    }

    /** Returns the same study, but waiting requests keep their shapes wherever there is room. */
    AdaptiveStudy keepingShapes() {
        return new AdaptiveStudy(setup, selection, Reshaping.WHERE_NEEDED, deadline, judged);
    }

    /** Returns the same study, but deadlines count from the end of the run. */
    AdaptiveStudy withLaterDeadlines(Judged claims) {
        return new AdaptiveStudy(setup, selection, reshaping, Deadline.FIVE_AFTER_THE_RUN, claims);
    }

    /** Whether shapes are chosen by our main reading. */
    boolean isReshaping() {
        return reshaping == Reshaping.ALWAYS;
    }

    /** Whether all of the paper's loads are run. */
    boolean hasAllLoads() {
        return judged == Judged.ALL;
    }

    /** Whether deadlines are those of our main reading. */
    boolean hasDeadlinesAsRead() {
        return deadline == Deadline.FIVE_RUN_TIMES;
    }

    /** Returns the loads to run. */
    List<Double> loads() {
        return hasAllLoads() ? LOADS : List.of(NORMAL, HIGH);
    }

    /** Returns all settings in a fixed order. */
    List<AdaptiveSetting> settings() {
        return loads().stream()
                .flatMap(load -> Stream.of(Scheduler.values())
                        .flatMap(scheduler -> Stream.of(RequestType.values())
                                .map(type -> new AdaptiveSetting(type, scheduler, load))))
                .toList();
    }

    @Override
    public String name() {
        String name = switch (selection) {
            case ALL -> "003";
            case LARGE -> "003-large-jobs";
            case HOUR_LONG -> "003-hour-long";
            case NORMAL_AND_LOW -> "003-normal-and-low";
            case SAMPLE -> "003-sample";
        };
        return name + (isReshaping() ? "" : "-kept-shapes") + (hasDeadlinesAsRead() ? "" : "-later-deadlines");
    }

    @Override
    public String title() {
        return setup.title(
                "003",
                " (%s%s%s)"
                        .formatted(
                                selection,
                                isReshaping() ? "" : ", shapes kept",
                                hasDeadlinesAsRead() ? "" : ", later deadlines"));
    }

    @Override
    public Optional<PaperLog> paperLog() {
        return PaperLog.of(setup.jobs().source());
    }

    @Override
    public List<AdaptiveRun> runs() {
        return settings().stream()
                .flatMap(setting ->
                        IntStream.rangeClosed(1, setup.windows()).mapToObj(window -> new AdaptiveRun(setting, window)))
                .toList();
    }

    @Override
    public AdaptiveFigures figures(AdaptiveRun run) {
        return AdaptiveFigures.of(
                Simulation.run(cluster(run.setting().scheduler()), jobs(run), setup.seedOf(run.window())),
                INCENTIVES.stream().map(AdaptiveStudy::tariff).toList());
    }

    @Override
    public Class<AdaptiveFigures> kept() {
        return AdaptiveFigures.class;
    }

    @Override
    public Findings findings(Map<AdaptiveRun, AdaptiveFigures> figures) {
        return new AdaptiveResults(this, figures).findings();
    }

    /** Returns the jobs of a run. */
    List<Job> jobs(AdaptiveRun run) {
        var type = run.setting().type();
        long drawn = setup.seedOf(run.window());
        var isTaken = selection.filter(Seeds.ofRepetition(drawn, 2));
        var requests = new AdaptiveRequestRecipe(
                        Sp2Setup.PES, drawn, type.isMoldable(), type.preemptibleShare(), deadline)
                .draws();
        List<Job> asked = new ArrayList<>();
        for (SwfJob job : setup.of(run.window())) {
            var denser = job.submittedAt((long) (job.submit() / run.setting().load()));
            if (isTaken.test(job) && requests.requestOf(denser) instanceof Outcome.Done(var request)) {
                asked.add(Job.of(request));
            }
        }
        return asked;
    }

    /** Returns whether every window has requests; a window without requests has no result. */
    boolean isAskedInEveryWindow() {
        var some = settings().getFirst();
        return IntStream.rangeClosed(1, setup.windows())
                .noneMatch(window -> jobs(new AdaptiveRun(some, window)).isEmpty());
    }

    private static Tariff tariff(int incentive) {
        return Tariff.STANDARD
                .with("function", PriceFunction.NETTO_BUYYA_2007)
                .with("preemptionIncentive", BigDecimal.valueOf(incentive, 2));
    }

    private Cluster cluster(Scheduler scheduler) {
        return Cluster.of("sp2", Sp2Setup.PES)
                .under(Policy.STANDARD
                        .withReplanning(Replanning.of(scheduler.juggling(), scheduler.order())
                                .reshaping(reshaping))
                        .withHorizon(Policy.MAX_HORIZON, 0))
                .charging(tariff(0));
    }
}
