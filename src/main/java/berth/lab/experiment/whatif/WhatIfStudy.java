package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.cluster.AvailabilityRules;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.lab.experiment.Findings;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.simulation.QueueSimulation;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BookAheadRecipe;
import berth.lab.workload.MixedWorkload;
import berth.lab.workload.MixedWorkload.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The study of paper 001, section 5: the jobs of one log, a tenth of which become requests, in 36 settings of book-ahead time and slack, by
 * both methods; and the widest of these again without large jobs. Repetitions differ in which jobs become requests. Each run is compared
 * with the same jobs without reservations, which are run again for it. That is cheaper than storing them, and no run depends on another.
 *
 * @param seed the seed of the study
 * @param repetitions the repetitions of each run, at least 1
 * @param rules how slots are chosen and rated
 * @param refused what happens to refused requests
 */
record WhatIfStudy(String name, BatchLog log, long seed, int repetitions, SlotRules rules, Refused refused)
        implements Study<WhatIfRun, WhatIfFigures> {
    static final long HOUR = 3600;

    @Override
    public String title() {
        return "Paper 001: %d nodes, %s, %d jobs, seed %d, repetitions: %d, slots: %d, weight of the makespan: %s"
                .formatted(
                        log.nodes(),
                        log.source(),
                        log.jobs().size(),
                        seed,
                        repetitions,
                        rules.slots(),
                        rules.makespanWeight());
    }

    @Override
    public Optional<PaperLog> paperLog() {
        return PaperLog.of(log.source());
    }

    @Override
    public List<WhatIfRun> runs() {
        List<WhatIfRun> runs = new ArrayList<>();
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            add(runs, WhatIfSetting.all(method, Variant.STANDARD));
            add(runs, WhatIfSetting.widest(method, Variant.SMALL_JOBS));
        }
        return List.copyOf(runs);
    }

    private void add(List<WhatIfRun> runs, List<WhatIfSetting> settings) {
        for (WhatIfSetting setting : settings) {
            IntStream.rangeClosed(1, repetitions).forEach(repetition -> runs.add(new WhatIfRun(setting, repetition)));
        }
    }

    @Override
    public WhatIfFigures figures(WhatIfRun run) {
        var cluster = cluster(log.nodes(), rules.by(run.setting().method()));
        var workload = workload(run);
        var with = QueueSimulation.run(cluster, workload);
        var without = QueueSimulation.run(cluster, workload.withoutRequests());
        var figures = WhatIfFigures.of(with, without);
        return run.isDrawn() ? figures : figures.withoutTimes();
    }

    @Override
    public Class<WhatIfFigures> kept() {
        return WhatIfFigures.class;
    }

    @Override
    public Findings findings(Map<WhatIfRun, WhatIfFigures> figures) {
        return new WhatIfResults(this, figures).findings();
    }

    /** Returns the seed of a repetition's choice. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    /** Returns the jobs and the requests of a run. */
    MixedWorkload workload(WhatIfRun run) {
        var setting = run.setting();
        var recipe = new BookAheadRecipe(seedOf(run.repetition()), setting.bookAhead() * HOUR, setting.slack() * HOUR);
        return setting.variant().limited(recipe.of(log.jobs()).with(refused));
    }

    /** Returns how many jobs of a repetition the limit of section 5.4 changes. */
    int limitedJobs(int repetition) {
        var workload = workload(new WhatIfRun(WhatIfSetting.of(AvailabilityMethod.LOAD, 0, 0), repetition));
        return (int) workload.jobs().stream()
                .filter(job -> job.pes() > Variant.LIMIT)
                .count();
    }

    /** Returns a cluster with first fit, without moves and without notice, which is all that the paper's scheduler has. */
    static Cluster cluster(int nodes, AvailabilityRules availability) {
        return Cluster.of("blue", nodes)
                .under(Policy.STANDARD
                        .withReplanning(
                                Juggling.NEVER, Policy.STANDARD.replanning().order())
                        .withHorizon(Policy.MAX_HORIZON, 0)
                        .withAvailability(availability));
    }
}
