package berth.experiment.flexible;

import berth.experiment.RunEnds.AfterPercent;
import berth.experiment.Seeds;
import berth.experiment.Sp2Setup;
import berth.simulation.Job;
import berth.simulation.Job.Choice;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.AdvanceReservationRecipe.ZeroLateness;
import berth.workload.ReservationRequest;
import berth.workload.SkipReason;
import berth.workload.SwfJob;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** Makes the jobs of runs. What is drawn for a job of a window does not depend on the scenario. */
record FlexibleJobs(Sp2Setup setup, Version version) {
    private static final double MEAN_PERCENT = 80;

    /** Streams of random numbers for a window, beside those of the requests and of the percentages. */
    private static final int ASKING = 3;

    private static final int BORROWED = 4;
    private static final int BORROWED_COINS = 5;

    /** Seconds in which the requests of a window come. */
    double span(double load) {
        double length = setup.jobs().length();
        return version == Version.MORE_JOBS ? length : length / load;
    }

    /** The jobs that a run asks reservations for, in the order of their submission. */
    List<Job> of(FlexibleRun run) {
        Scenario scenario = run.scenario();
        List<SwfJob> own = setup.of(run.window());
        long drawn = setup.seedOf(run.window());
        if (version == Version.MORE_JOBS) {
            return Stream.concat(asked(scenario, own, drawn).stream(), borrowed(run, drawn).stream())
                    .sorted(Comparator.comparingLong(job -> job.request().submit()))
                    .toList();
        }
        return asked(
                scenario,
                own.stream()
                        .map(job -> job.submittedAt((long) (job.submit() / scenario.load())))
                        .toList(),
                drawn);
    }

    /** The jobs by which a run has more than its window: some of the next one, of the first after the last. */
    private List<Job> borrowed(FlexibleRun run, long drawn) {
        UniformRandomProvider coins = random(drawn, BORROWED_COINS);
        List<SwfJob> some = setup.of(run.window() % setup.windows() + 1).stream()
                .filter(job -> coins.nextDouble() < run.scenario().load() - 1)
                .toList();
        return asked(run.scenario(), some, Seeds.ofRepetition(drawn, BORROWED));
    }

    private List<Job> asked(Scenario scenario, List<SwfJob> jobs, long drawn) {
        var requests = new AdvanceReservationRecipe(
                        Sp2Setup.PES,
                        drawn,
                        version.flexibleShare(),
                        scenario.interval().percent(),
                        version == Version.AT_ONCE ? ZeroLateness.STARTS_AT_ONCE : ZeroLateness.DRAWN_AGAIN)
                .draws();
        IntSupplier percents = new AfterPercent(MEAN_PERCENT).draws(drawn);
        UniformRandomProvider asking = random(drawn, ASKING);
        return jobs.stream()
                .filter(job -> SkipReason.reason(job, Sp2Setup.PES).isEmpty())
                .filter(version.jobs().filter(drawn))
                .flatMap(job -> requests.requestOf(estimated(scenario, job)) instanceof ReservationRequest request
                        ? Stream.of(job(scenario, request, job.runTime(), percents, asking))
                        : Stream.empty())
                .toList();
    }

    /** The job as long as it is estimated. */
    private SwfJob estimated(Scenario scenario, SwfJob job) {
        return version.reservesRequestedTimes(scenario.runTimes()) && job.requestedTime() > 0
                ? job.running(job.requestedTime())
                : job;
    }

    private Job job(
            Scenario scenario,
            ReservationRequest request,
            long logged,
            IntSupplier percents,
            UniformRandomProvider asking) {
        int percent = percents.getAsInt();
        boolean asks = asking.nextDouble() < version.askingShare();
        Job job = running(scenario, request, logged, percent)
                .fixed(scenario.fixedAt().fixing());
        return asks && scenario.suggested() != Interval.FIXED
                ? job.orElse(scenario.suggested().phi(), version == Version.FARTHEST ? Choice.FARTHEST : Choice.NEAREST)
                : job;
    }

    private Job running(Scenario scenario, ReservationRequest request, long logged, int percent) {
        if (version.reservesRequestedTimes(scenario.runTimes())) {
            return Job.asReserved(request).endingAfter(Math.min(logged, request.duration()));
        }
        if (scenario.runTimes() == RunTimes.AS_ESTIMATED) {
            return Job.asReserved(request);
        }
        return Job.asReserved(version == Version.LOGGED_RUNS ? overestimated(request, percent) : request)
                .taking(percent);
    }

    /** The request if its run time is that percentage of what was estimated, with p and k as they were drawn. */
    private static ReservationRequest overestimated(ReservationRequest request, int percent) {
        long logged = request.duration();
        long estimate = Math.ceilDiv(100 * logged, percent);
        long readyTime = request.submit() + (request.readyTime() - request.submit()) / logged * estimate;
        long slack = request.deadline() - request.readyTime() - logged;
        return new ReservationRequest(
                request.job(),
                request.submit(),
                readyTime,
                readyTime + estimate + slack * estimate / logged,
                estimate,
                request.pes());
    }

    private static UniformRandomProvider random(long drawn, int stream) {
        return RandomSource.XO_SHI_RO_256_PP.create(Seeds.ofRepetition(drawn, stream));
    }
}
