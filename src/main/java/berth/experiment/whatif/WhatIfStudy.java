package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.experiment.Seeds;
import berth.simulation.ParallelRuns;
import berth.simulation.QueueHistory;
import berth.simulation.QueueSimulation;
import berth.workload.BatchLog;
import berth.workload.BookAheadRecipe;
import berth.workload.MixedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 001, section 5: the jobs of one log, a tenth of them made requests for reservations, in 36 settings of
 * book-ahead time and slack, by both methods; and what of it depends on what the paper leaves open. Repetitions differ in
 * which jobs are made requests.
 *
 * @param seed of the whole
 * @param repetitions of each run, at least 1
 * @param lookedAtAgain repetitions of the runs that vary what the paper leaves open, 0 or more
 */
record WhatIfStudy(BatchLog log, long seed, int repetitions, int lookedAtAgain) {
    static final long HOUR = 3600;

    private static final List<Variant> LEFT_OPEN =
            List.of(Variant.FEW_SLOTS, Variant.MANY_SLOTS, Variant.MAKESPAN, Variant.COMPLETION);

    /** All runs, in a fixed order. */
    List<WhatIfRun> runs() {
        List<WhatIfRun> runs = new ArrayList<>();
        for (AvailabilityMethod method : Setting.METHODS) {
            add(runs, Setting.all(method, Variant.STANDARD), repetitions);
            add(runs, Setting.widest(method, Variant.SMALL_JOBS), repetitions);
        }
        variants()
                .forEach((variant, methods) ->
                        methods.forEach(method -> add(runs, Setting.all(method, variant), lookedAtAgain)));
        return List.copyOf(runs);
    }

    /** What varies, and the methods to which it makes a difference; nothing if it is not looked at. */
    Map<Variant, List<AvailabilityMethod>> variants() {
        Map<Variant, List<AvailabilityMethod>> variants = new LinkedHashMap<>();
        for (Variant variant : lookedAtAgain == 0 ? List.<Variant>of() : LEFT_OPEN) {
            boolean isWeight = variant == Variant.MAKESPAN || variant == Variant.COMPLETION;
            variants.put(variant, isWeight ? List.of(AvailabilityMethod.WHAT_IF) : Setting.METHODS);
        }
        return variants;
    }

    private static void add(List<WhatIfRun> runs, List<Setting> settings, int repetitions) {
        for (Setting setting : settings) {
            IntStream.rangeClosed(1, repetitions).forEach(repetition -> runs.add(new WhatIfRun(setting, repetition)));
        }
    }

    /** The runs without reservations that the others are compared with, by repetition. */
    private record Bare(boolean isLimited, int repetition) {}

    /**
     * Runs them all.
     *
     * @param afterEach called when one more run is done, from any thread
     * @throws berth.simulation.BrokenRule if a run breaks a rule that every schedule keeps
     */
    WhatIfResults results(int threads, Runnable afterEach) {
        List<Bare> bare = Stream.of(false, true)
                .flatMap(isLimited -> IntStream.rangeClosed(1, Math.max(repetitions, lookedAtAgain))
                        .mapToObj(repetition -> new Bare(isLimited, repetition)))
                .toList();
        Map<Bare, QueueHistory> without = byKey(bare, ParallelRuns.of(bare, this::run, threads, () -> {}));
        List<WhatIfRun> runs = runs();
        return new WhatIfResults(
                this, byKey(runs, ParallelRuns.of(runs, run -> figures(run, without), threads, afterEach)));
    }

    private static <K, V> Map<K, V> byKey(List<K> keys, List<V> values) {
        Map<K, V> byKey = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            byKey.put(keys.get(i), values.get(i));
        }
        return byKey;
    }

    private QueueHistory run(Bare bare) {
        var variant = bare.isLimited() ? Variant.SMALL_JOBS : Variant.STANDARD;
        var setting = new Setting(AvailabilityMethod.LOAD, 0, 0, variant);
        return QueueSimulation.run(
                cluster(setting),
                workload(new WhatIfRun(setting, bare.repetition())).withoutRequests());
    }

    private WhatIfFigures figures(WhatIfRun run, Map<Bare, QueueHistory> without) {
        var setting = run.setting();
        var bare = without.get(new Bare(setting.variant().limitsJobs(), run.repetition()));
        return WhatIfFigures.of(QueueSimulation.run(cluster(setting), workload(run)), Objects.requireNonNull(bare));
    }

    /** The seed of the choice of a repetition. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    /** The jobs and the requests of a run. */
    MixedWorkload workload(WhatIfRun run) {
        var setting = run.setting();
        var recipe = new BookAheadRecipe(seedOf(run.repetition()), setting.bookAhead() * HOUR, setting.slack() * HOUR);
        return setting.variant().limited(recipe.of(log.jobs()));
    }

    /** How many jobs of a repetition are changed by the limit of section 5.4. */
    int limitedJobs(int repetition) {
        var workload = workload(new WhatIfRun(Setting.of(AvailabilityMethod.LOAD, 0, 0), repetition));
        return (int) workload.jobs().stream()
                .filter(job -> job.pes() > Variant.LIMIT)
                .count();
    }

    private Cluster cluster(Setting setting) {
        return cluster(log.nodes(), setting.variant().rules(setting.method()));
    }

    /** First fit, nobody is moved, no notice: all that the paper's scheduler knows. */
    static Cluster cluster(int nodes, AvailabilityRules availability) {
        Cluster standard = Cluster.of("blue", nodes);
        Policy rules = Policy.STANDARD;
        return new Cluster(
                standard.id(),
                nodes,
                standard.rating(),
                standard.labels(),
                standard.binding(),
                standard.admission(),
                new Policy(
                        rules.placement(),
                        rules.replanOrder(),
                        Juggling.NEVER,
                        Policy.MAX_HORIZON,
                        0,
                        rules.claimWithin(),
                        rules.alternativesMaxPhi(),
                        availability,
                        rules.limits()),
                standard.intake(),
                standard.tariff(),
                standard.version());
    }
}
