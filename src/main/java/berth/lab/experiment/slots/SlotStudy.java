package berth.lab.experiment.slots;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.simulation.Figures;
import berth.lab.simulation.Job;
import berth.lab.simulation.Simulation;
import berth.lab.workload.DeadlineRecipe;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 004, section 5: seven policies on 1024 PEs in three sweeps of five settings each, which share the default setting.
 * Every policy gets the same requests.
 *
 * @param name the name of its directory
 * @param seed the seed of the study
 * @param repetitions the repetitions of each run, at least 1
 * @param jobs the jobs of each run, at least 1
 * @param recipe the reading of the paper
 * @param meanArea the mean PE-seconds of a job at the recipe's default umed
 */
record SlotStudy(String name, long seed, int repetitions, int jobs, SlotRecipe recipe, double meanArea)
        implements Study<SlotRun, Figures> {
    static final int PES = 1024;

    /** Returns the study on the jobs of a recipe. */
    static SlotStudy of(String name, long seed, int repetitions, int jobs, SlotRecipe recipe) {
        double meanArea = DeadlineRecipe.meanArea(recipe.model(SlotSetting.DEFAULT_MEDIUM));
        return new SlotStudy(name, seed, repetitions, jobs, recipe, meanArea);
    }

    /** Returns the same study on the jobs of another recipe, with {@code times} repetitions of {@code most} jobs. */
    SlotStudy varied(String itsName, int times, int most, SlotRecipe other) {
        boolean hasSameJobs = other.model(SlotSetting.DEFAULT_MEDIUM).equals(recipe.model(SlotSetting.DEFAULT_MEDIUM));
        return hasSameJobs
                ? new SlotStudy(itsName, seed, times, most, other, meanArea)
                : of(itsName, seed, times, most, other);
    }

    /** Returns the mean time between jobs at an arrival factor of 1, in seconds. */
    double meanGap() {
        return meanArea / (recipe.load() * PES);
    }

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "Paper 004: %d PEs bound %s, %d repetitions of %d modelled requests, seed %d, offered load %s (a job"
                        + " every %.1f s)",
                PES,
                recipe.binding(),
                repetitions,
                jobs,
                seed,
                recipe.load(),
                meanGap());
    }

    @Override
    public List<SlotRun> runs() {
        return Stream.of(SlotSweep.values())
                .flatMap(sweep -> sweep.settings(recipe.pairs()).stream())
                .distinct()
                .flatMap(setting -> IntStream.rangeClosed(1, repetitions)
                        .boxed()
                        .flatMap(repetition ->
                                Stream.of(SlotPolicy.values()).map(policy -> new SlotRun(setting, policy, repetition))))
                .toList();
    }

    /** Returns the seed of a repetition's requests. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    @Override
    public Figures figures(SlotRun run) {
        SlotSetting setting = run.setting();
        var requests = new DeadlineRecipe(
                recipe.model(setting.medium()).withMeanGap(meanGap()),
                setting.arrivalFactor(),
                setting.pair().artime(),
                setting.pair().deadline());
        List<Job> requested = requests.requests(seedOf(run.repetition()), jobs).stream()
                .map(Job::asReserved)
                .toList();
        return Figures.of(Simulation.run(cluster(run.policy()), requested));
    }

    @Override
    public Class<Figures> kept() {
        return Figures.class;
    }

    @Override
    public Findings findings(Map<SlotRun, Figures> figures) {
        return new SlotResults(this, figures).findings();
    }

    private Cluster cluster(SlotPolicy policy) {
        return Cluster.of("cm5", PES)
                .bound(recipe.binding())
                .under(Policy.STANDARD
                        .withPlacement(policy.placement())
                        .withReplanning(
                                Juggling.NEVER, Policy.STANDARD.replanning().order()));
    }
}
