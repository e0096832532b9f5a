package berth.experiment.slots;

import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.experiment.Seeds;
import berth.simulation.Figures;
import berth.simulation.Job;
import berth.simulation.ParallelRuns;
import berth.simulation.Simulation;
import berth.workload.DeadlineRecipe;
import berth.workload.LublinFeitelson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 004, section 5: seven policies on 1024 PEs, three sweeps of five settings each, the default setting
 * common to all three. Every policy gets the same requests.
 *
 * @param seed of the whole
 * @param repetitions of each run, at least 1
 * @param jobs of each run, at least 1
 * @param load the offered load at the default setting, more than 0: PE-seconds asked for / (PEs · time). The mean gap
 *     between two jobs follows from it and stays the same as umed varies, so that larger jobs mean more load
 * @param binding early in the paper, whose structure knows each PE
 */
record SlotStudy(long seed, int repetitions, int jobs, double load, Binding binding) {
    static final int PES = 1024;

    /** All runs, in a fixed order. */
    List<SlotRun> runs() {
        return Stream.of(Sweep.values())
                .flatMap(sweep -> sweep.settings().stream())
                .distinct()
                .flatMap(setting -> IntStream.rangeClosed(1, repetitions)
                        .boxed()
                        .flatMap(repetition ->
                                Stream.of(SlotPolicy.values()).map(policy -> new SlotRun(setting, policy, repetition))))
                .toList();
    }

    /**
     * Runs them all.
     *
     * @param afterEach called when one more run is done, from any thread
     * @throws berth.simulation.BrokenRule if a run breaks a rule that every schedule keeps
     */
    SlotResults results(int threads, Runnable afterEach) {
        double meanGap = meanGap();
        List<SlotRun> runs = runs();
        List<Figures> figures = ParallelRuns.of(runs, run -> figures(run, meanGap), threads, afterEach);
        Map<SlotRun, Figures> byRun = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            byRun.put(runs.get(i), figures.get(i));
        }
        return new SlotResults(this, byRun);
    }

    /** The seed of the requests of a repetition. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    /** Seconds between two jobs on average, at an arrival factor of 1. */
    double meanGap() {
        return DeadlineRecipe.meanArea(LublinFeitelson.connectionMachine(Setting.DEFAULT.medium())) / (load * PES);
    }

    private Figures figures(SlotRun run, double meanGap) {
        Setting setting = run.setting();
        var recipe = new DeadlineRecipe(
                LublinFeitelson.connectionMachine(setting.medium()).withMeanGap(meanGap),
                setting.arrivalFactor(),
                setting.flexibility(),
                setting.flexibility());
        List<Job> requested = recipe.requests(seedOf(run.repetition()), jobs).stream()
                .map(Job::asReserved)
                .toList();
        return Figures.of(Simulation.run(cluster(run.policy()), requested));
    }

    private Cluster cluster(SlotPolicy policy) {
        Cluster standard = Cluster.of("cm5", PES);
        Policy rules = Policy.STANDARD;
        return new Cluster(
                standard.id(),
                PES,
                standard.rating(),
                standard.labels(),
                binding,
                standard.admission(),
                new Policy(
                        policy.placement(),
                        rules.replanOrder(),
                        Juggling.NEVER,
                        rules.horizon(),
                        rules.notice(),
                        rules.claimWithin(),
                        rules.alternativesMaxPhi(),
                        rules.availability(),
                        rules.limits()),
                standard.intake(),
                standard.tariff(),
                standard.version());
    }
}
