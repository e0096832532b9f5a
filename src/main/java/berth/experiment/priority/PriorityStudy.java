package berth.experiment.priority;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.experiment.Seeds;
import berth.experiment.priority.ResourceRun.Handed;
import berth.experiment.priority.ResourceRun.Ran;
import berth.intake.Dpsar;
import berth.intake.IntakeRequest;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.simulation.BrokenRule;
import berth.simulation.ParallelRuns;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 002, "Simulation environment and results": five resources, their jobs handed to them by DPSAR or as they
 * come, and none to 30 % of these with advance reservations. Under DPSAR all jobs are collected until the last user has
 * arrived, and then decided in rounds. Both orders get the same jobs.
 *
 * @param seed of the whole
 * @param repetitions of each run, at least 1
 * @param recipe of the jobs
 */
record PriorityStudy(long seed, int repetitions, GridRecipe recipe) {

    /** The percentages of jobs with advance reservations. */
    static final List<Integer> SHARES = List.of(0, 10, 20, 30);

    /** Levels of priority, and N: those of the paper's example. */
    static final Dpsar DPSAR = new Dpsar(10, 3);

    private static final double HOUR = 3600;

    /** All runs, in a fixed order. */
    List<PriorityRun> runs() {
        return IntStream.rangeClosed(1, repetitions)
                .boxed()
                .flatMap(repetition -> SHARES.stream()
                        .flatMap(share ->
                                Stream.of(Order.values()).map(order -> new PriorityRun(order, share, repetition))))
                .toList();
    }

    /**
     * Runs them all.
     *
     * @param afterEach called when one more run is done, from any thread
     * @throws BrokenRule if a job is lost, or a reservation does not start when it was promised to
     */
    PriorityResults results(int threads, Runnable afterEach) {
        List<PriorityRun> runs = runs();
        List<RunFigures> figures = ParallelRuns.of(runs, this::figures, threads, afterEach);
        Map<PriorityRun, RunFigures> byRun = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            byRun.put(runs.get(i), figures.get(i));
        }
        return new PriorityResults(this, byRun);
    }

    /** The seed of the jobs of a repetition. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    private RunFigures figures(PriorityRun run) {
        List<GridJob> jobs = recipe.jobs(seedOf(run.repetition()));
        List<Handed> handed = handed(jobs, run);
        List<Ran> ran = new ArrayList<>();
        double utilisation = 0;
        for (int resource = 0; resource < GridRecipe.PES.size(); resource++) {
            int here = resource;
            List<Ran> there = ResourceRun.of(
                    cluster(resource),
                    handed.stream().filter(one -> one.job().resource() == here).toList());
            utilisation += utilisation(there, GridRecipe.PES.get(resource));
            ran.addAll(there);
        }
        double waited = 0;
        double offset = 0;
        for (var one : ran) {
            waited += one.start() - one.handed().job().arrival();
            offset += offset(one);
        }
        return new RunFigures(
                waited / HOUR / ran.size(),
                offset / HOUR / ran.size(),
                jobs.size() - ran.size(),
                100 * utilisation / GridRecipe.PES.size());
    }

    private static double offset(Ran ran) {
        var handed = ran.handed();
        if (!handed.isReserved()) {
            return ran.start() - handed.at();
        }
        if (ran.start() != handed.job().start()) {
            throw new BrokenRule(
                    "Job %d was promised another start.".formatted(handed.job().number()));
        }
        return 0;
    }

    private static double utilisation(List<Ran> ran, int pes) {
        long last = ran.stream().mapToLong(Ran::end).max().orElse(0);
        double taken = ran.stream().mapToLong(one -> one.end() - one.start()).sum();
        return last == 0 ? 0 : taken / last / pes;
    }

    /** The jobs in the order in which they go to the resources. */
    private static List<Handed> handed(List<GridJob> jobs, PriorityRun run) {
        return switch (run.order()) {
            case ARWP ->
                jobs.stream()
                        .map(job -> new Handed(job, job.isReservedAt(run.share()), job.arrival()))
                        .toList();
            case DPSAR ->
                inRounds(jobs).stream()
                        .map(job -> new Handed(job, job.isReservedAt(run.share()), GridRecipe.ARRIVALS))
                        .toList();
        };
    }

    private static List<GridJob> inRounds(List<GridJob> jobs) {
        List<GridJob> ordered = new ArrayList<>(jobs.size());
        var round =
                DPSAR.round(List.of(), jobs.stream().map(PriorityStudy::request).toList());
        while (!round.decided().isEmpty()) {
            round.decided()
                    .forEach(request ->
                            ordered.add(jobs.get((int) request.id().value().getLeastSignificantBits())));
            round = DPSAR.round(round.heldBack(), List.of());
        }
        return ordered;
    }

    private static IntakeRequest request(GridJob job) {
        return IntakeRequest.pending(
                new ReservationId(new UUID(0, job.number())),
                "grid",
                new Origin("user" + job.user(), ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                job.priority(),
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), job.runTime(), 1),
                OptionalLong.empty(),
                job.arrival());
    }

    /** Nobody is moved: a start that was chosen cannot be, and jobs are promised none. */
    static Cluster cluster(int resource) {
        var rating = BigDecimal.valueOf(GridRecipe.MIPS.get(resource))
                .divide(BigDecimal.valueOf(GridRecipe.STANDARD_MIPS), 6, RoundingMode.HALF_UP);
        return cluster("r" + resource, GridRecipe.PES.get(resource), rating);
    }

    static Cluster cluster(String id, int pes, BigDecimal rating) {
        var standard = Cluster.of(id, pes);
        var rules = Policy.STANDARD;
        return new Cluster(
                id,
                pes,
                rating,
                standard.labels(),
                standard.binding(),
                standard.admission(),
                new Policy(
                        rules.placement(),
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
