package berth.lab.experiment.priority;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Policy;
import berth.intake.Dpsar;
import berth.intake.IntakeRequest;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Study;
import berth.lab.experiment.priority.ResourceRun.Handed;
import berth.lab.simulation.BrokenRule;
import berth.lab.simulation.QueueHistory;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The study of paper 002, "Simulation environment and results": five resources get jobs in the order of DPSAR or of arrival, and none to 30
 * % of the jobs have advance reservations. Both orders get the same jobs.
 *
 * @param seed the seed of the study
 * @param repetitions the repetitions of each run, at least 1
 * @param recipe the recipe of the jobs
 * @param intake how DPSAR takes them in
 */
record PriorityStudy(String name, long seed, int repetitions, GridRecipe recipe, Rounds intake)
        implements Study<PriorityRun, RunFigures> {

    /** The percentages of jobs with advance reservations. */
    static final List<Integer> SHARES = List.of(0, 10, 20, 30);

    private static final double HOUR = 3600;

    /**
     * How DPSAR takes in jobs: at regular times the arrived jobs are decided in rounds that follow each other at once until nothing is held
     * back.
     *
     * @param every the interval in seconds, at least 1
     * @param level the factor on differences of priority, at least 1
     * @param dpsar the priority levels and N
     */
    record Rounds(long every, int level, Dpsar dpsar) {
        /** Once all users have arrived, with ten levels and N of three, as in the paper's example. */
        static final Rounds AS_READ = new Rounds(GridRecipe.TEN_MINUTES, 1, new Dpsar(10, 3));
        /** In every second in which jobs have arrived. */
        static final Rounds AT_EVERY_ARRIVAL = new Rounds(1, 1, AS_READ.dpsar);
        /** Users with different priorities always differ more than SD, and N leaves nothing for another round. */
        static final Rounds USERS_APART = new Rounds(AS_READ.every, 10, new Dpsar(10, Integer.MAX_VALUE));

        /** Returns when a job goes to its resource. */
        long after(long arrival) {
            return (arrival / every + 1) * every;
        }
    }

    /** Returns the same study with another number of repetitions. */
    PriorityStudy repeated(int times) {
        return new PriorityStudy(name, seed, times, recipe, intake);
    }

    /** Returns another study with other jobs. */
    PriorityStudy of(String otherName, GridRecipe jobs) {
        return new PriorityStudy(otherName, seed, repetitions, jobs, intake);
    }

    /** Returns another study with another intake. */
    PriorityStudy of(String otherName, Rounds rounds) {
        return new PriorityStudy(otherName, seed, repetitions, recipe, rounds);
    }

    @Override
    public String title() {
        return String.format(
                Locale.ROOT,
                "Paper 002: 47 PEs, %d users with %d jobs each, %d repetitions, seed %d, resources %s, starts %s,"
                        + " lengths %s, arrivals %s, rounds every %d s, levels x%d",
                recipe.users(),
                recipe.jobs(),
                repetitions,
                seed,
                recipe.grid(),
                recipe.starts(),
                recipe.lengths(),
                recipe.arrivals(),
                intake.every(),
                intake.level());
    }

    @Override
    public List<PriorityRun> runs() {
        return IntStream.rangeClosed(1, repetitions)
                .boxed()
                .flatMap(repetition -> SHARES.stream()
                        .flatMap(share ->
                                Stream.of(Order.values()).map(order -> new PriorityRun(order, share, repetition))))
                .toList();
    }

    @Override
    public Class<RunFigures> kept() {
        return RunFigures.class;
    }

    @Override
    public Findings findings(Map<PriorityRun, RunFigures> figures) {
        return new PriorityResults(this, figures).findings();
    }

    /** Returns the seed of a repetition's jobs. */
    long seedOf(int repetition) {
        return Seeds.ofRepetition(seed, repetition);
    }

    /**
     * Makes one run.
     *
     * @throws BrokenRule if a rule is broken that every schedule keeps, see {@link ResourceRun#of}
     */
    @Override
    public RunFigures figures(PriorityRun run) {
        List<GridJob> jobs = recipe.jobs(seedOf(run.repetition()));
        List<Handed> handed = handed(jobs, run);
        double utilisation = 0;
        double jobsWaited = 0;
        double reservedWaited = 0;
        double offset = 0;
        int ran = 0;
        int reserved = 0;
        for (int resource = 0; resource < recipe.grid().resources(); resource++) {
            int here = resource;
            var there = ResourceRun.of(
                    cluster(resource),
                    handed.stream().filter(one -> one.job().resource() == here).toList());
            utilisation += utilisation(there);
            for (var job : there.jobs()) {
                jobsWaited += job.start() - arrival(jobs, job.job().number());
                offset += job.waited();
            }
            for (var reservation : there.granted()) {
                long number = reservation.id().value().getLeastSignificantBits();
                reservedWaited += reservation.slot().start() - arrival(jobs, number);
            }
            ran += there.jobs().size() + there.granted().size();
            reserved += there.granted().size();
        }
        double waited = (jobsWaited + reservedWaited) / ran;
        return new RunFigures(
                waited / HOUR,
                (run.share() == 0 ? waited : reservedWaited / reserved) / HOUR,
                offset / HOUR / ran,
                jobs.size() - ran,
                100 * utilisation / recipe.grid().resources());
    }

    private static long arrival(List<GridJob> jobs, long number) {
        return jobs.get((int) number).arrival();
    }

    private static double utilisation(QueueHistory history) {
        double taken = Stream.concat(
                        history.jobs().stream().map(job -> job.end() - job.start()),
                        history.granted().stream().map(one -> one.slot().duration()))
                .mapToDouble(Long::doubleValue)
                .sum();
        long last = history.lastEnd();
        return last == 0 ? 0 : taken / last / history.cluster().pes();
    }

    /** Returns the jobs in the order in which they go to the resources. */
    private List<Handed> handed(List<GridJob> jobs, PriorityRun run) {
        return switch (run.order()) {
            case ARWP ->
                jobs.stream()
                        .map(job -> new Handed(job, job.isReservedAt(run.share()), job.arrival()))
                        .toList();
            case DPSAR -> inRounds(jobs, run.share());
        };
    }

    private List<Handed> inRounds(List<GridJob> jobs, int share) {
        var collected = new TreeMap<Long, List<IntakeRequest>>();
        for (var job : jobs) {
            collected
                    .computeIfAbsent(intake.after(job.arrival()), _ -> new ArrayList<>())
                    .add(request(job));
        }
        List<Handed> ordered = new ArrayList<>(jobs.size());
        collected.forEach((at, requests) -> {
            var round = intake.dpsar().round(List.of(), requests);
            while (!round.decided().isEmpty()) {
                for (var request : round.decided()) {
                    var job = jobs.get((int) request.id().value().getLeastSignificantBits());
                    ordered.add(new Handed(job, job.isReservedAt(share), at));
                }
                round = intake.dpsar().round(round.heldBack(), List.of());
            }
        });
        return ordered;
    }

    private IntakeRequest request(GridJob job) {
        return IntakeRequest.pending(
                new ReservationId(new UUID(0, job.number())),
                new ClusterId("grid"),
                new Origin(new AccountName("user" + job.user()), ServiceClass.STANDARD),
                intake.level() * job.priority(),
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), job.runTime(), 1),
                OptionalLong.empty(),
                job.arrival());
    }

    private Cluster cluster(int resource) {
        var rating = BigDecimal.valueOf(recipe.grid().mips().get(resource))
                .divide(BigDecimal.valueOf(GridRecipe.STANDARD_MIPS), 6, RoundingMode.HALF_UP);
        return cluster("r" + resource, recipe.grid().pes().get(resource), rating);
    }

    /** Returns a cluster on which no reservation moves: a chosen start cannot move, and jobs have no promised start. */
    static Cluster cluster(String id, int pes, BigDecimal rating) {
        return Cluster.of(id, pes)
                .rated(rating)
                .under(Policy.STANDARD.withReplanning(
                        Juggling.NEVER, Policy.STANDARD.replanning().order()));
    }
}
