package berth.lab.experiment.flexible;

import berth.lab.experiment.RunEnds.AfterPercent;
import berth.lab.experiment.Seeds;
import berth.lab.experiment.Sp2Setup;
import berth.lab.simulation.Job;
import berth.lab.simulation.Job.Choice;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.AdvanceReservationRecipe.ZeroLateness;
import berth.lab.workload.ReservationRequest;
import berth.lab.workload.SkipReason;
import berth.lab.workload.SwfJob;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** The jobs of the runs of a study. The draws for a job of a window do not depend on the scenario. */
record FlexibleJobs(Sp2Setup setup, Version version) {
    private static final double MEAN_PERCENT = 80;

    /** The streams of random numbers for a window, besides those of requests and percentages. */
    private static final int ASKING = 3;

    private static final int BORROWED = 4;
    private static final int BORROWED_COINS = 5;

    /** Returns the time in which the requests of a window arrive, in seconds. */
    double span(double load) {
        double length = setup.jobs().length();
        return version == Version.MORE_JOBS ? length : length / load;
    }

    /** Returns the jobs of a run in the order of submission. */
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

    /** Returns the additional jobs of a run, drawn from those of the next window; the last window takes them from the first. */
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

    /** Returns the job with its user's estimate as the run time, if this version reserves users' estimates and the estimate is known. */
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

    /** Returns the request with an estimate of which its run time is {@code percent} percent, with the same p and k. */
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
