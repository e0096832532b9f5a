package berth.experiment.adaptive;

import berth.cluster.Cluster;
import berth.cluster.Policy;
import berth.experiment.Findings;
import berth.experiment.Seeds;
import berth.experiment.Study;
import berth.pricing.PriceFunction;
import berth.pricing.Tariff;
import berth.simulation.Job;
import berth.simulation.Simulation;
import berth.workload.AdaptiveRequestRecipe;
import berth.workload.AdaptiveRequestRecipe.Made;
import berth.workload.JobWindows;
import berth.workload.SwfJob;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 003, section 4: every window of a log by itself, on 128 PEs; six types of requests, two schedulers, six
 * loads. All runs of a window have the same jobs, of the same service classes; a request that may be split at the smaller
 * share may be at the larger one.
 *
 * @param selection which of the jobs become requests
 * @param seed of the whole
 */
record AdaptiveStudy(JobWindows jobs, JobSelection selection, long seed)
        implements Study<AdaptiveRun, AdaptiveFigures> {
    static final int PES = 128;
    static final long WINDOW = 15L * 86_400;
    static final List<Double> LOADS = List.of(1.0, 1.1, 1.2, 1.3, 1.4, 1.5);
    /** What is taken off the price of a request that may be split, in percent. */
    static final List<Integer> INCENTIVES = List.of(0, 10, 20, 30, 40);

    /** All settings, in a fixed order. */
    static List<Setting> settings() {
        return LOADS.stream()
                .flatMap(load -> Stream.of(Scheduler.values())
                        .flatMap(scheduler ->
                                Stream.of(RequestType.values()).map(type -> new Setting(type, scheduler, load))))
                .toList();
    }

    /** How many windows there are. */
    int windows() {
        return jobs.windows().size();
    }

    @Override
    public String name() {
        return switch (selection) {
            case ALL -> "003";
            case LARGE -> "003-large-jobs";
            case SAMPLE -> "003-sample";
        };
    }

    @Override
    public String title() {
        return "Paper 003: %d PEs, %s (%s), windows of 15 days: %d, seed %d"
                .formatted(PES, jobs.source(), selection, windows(), seed);
    }

    @Override
    public List<AdaptiveRun> runs() {
        return settings().stream()
                .flatMap(setting ->
                        IntStream.rangeClosed(1, windows()).mapToObj(window -> new AdaptiveRun(setting, window)))
                .toList();
    }

    /** The seed of what is drawn for a window. */
    long seedOf(int window) {
        return Seeds.ofRepetition(seed, window);
    }

    @Override
    public AdaptiveFigures figures(AdaptiveRun run) {
        return AdaptiveFigures.of(
                Simulation.run(cluster(run.setting().scheduler()), jobs(run), seedOf(run.window())),
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

    /** The jobs that a run asks reservations for. */
    List<Job> jobs(AdaptiveRun run) {
        var type = run.setting().type();
        long drawn = seedOf(run.window());
        var isTaken = selection.filter(Seeds.ofRepetition(drawn, 2));
        var requests = new AdaptiveRequestRecipe(PES, drawn, type.isMoldable(), type.preemptibleShare()).draws();
        List<Job> asked = new ArrayList<>();
        for (SwfJob job : jobs.windows().get(run.window() - 1)) {
            var denser = job.submittedAt((long) (job.submit() / run.setting().load()));
            if (isTaken.test(job) && requests.requestOf(denser) instanceof Made.Request(var request)) {
                asked.add(Job.of(request));
            }
        }
        return asked;
    }

    private static Tariff tariff(int incentive) {
        Tariff standard = Tariff.STANDARD;
        return new Tariff(
                PriceFunction.NETTO_BUYYA_2007,
                standard.currency(),
                BigDecimal.ONE,
                BigDecimal.valueOf(3),
                standard.flexibilityDiscount(),
                standard.latenessDiscount(),
                standard.latenessScale(),
                BigDecimal.valueOf(incentive, 2),
                standard.renegotiationSurcharge(),
                standard.breachCredit(),
                standard.loadProfile());
    }

    private static Cluster cluster(Scheduler scheduler) {
        return Cluster.of("sp2", PES)
                .under(Policy.STANDARD
                        .replacing(scheduler.juggling(), scheduler.order())
                        .ahead(Policy.MAX_HORIZON, 0))
                .charging(tariff(0));
    }
}
