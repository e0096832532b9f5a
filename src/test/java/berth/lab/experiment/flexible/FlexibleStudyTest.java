package berth.lab.experiment.flexible;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.cluster.ReplanOrder;
import berth.lab.experiment.Figured;
import berth.lab.experiment.Judged;
import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sp2Setup;
import berth.lab.simulation.Job;
import berth.lab.simulation.Job.Choice;
import berth.lab.simulation.RunShare;
import berth.lab.workload.JobWindows;
import berth.lab.workload.LogFaults;
import berth.lab.workload.ReservationRequest;
import berth.lab.workload.SwfJob;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlexibleStudyTest {
    /** A study with windows of a day and a half instead of fifteen days. */
    private static final FlexibleStudy SMALL = study(JobWindows.modelled(1, 2, 130_000), Version.OURS);

    private static final FlexibleStudy WHOLE = study(JobWindows.modelled(1, 1, Sp2Setup.WINDOW), Version.OURS);

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        FlexibleResults one = new FlexibleResults(SMALL, Figured.of(SMALL, 1));
        FlexibleResults two = new FlexibleResults(SMALL, Figured.of(SMALL, 2));

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines());
        assertThat(two.paperFigures()).isEqualTo(one.paperFigures());
        assertThat(two.claims()).isEqualTo(one.claims());
        assertThat(one.runs().lines()).hasSize(1 + 117 * 2);
    }

    @Test
    void runsEveryScenarioOfTheFigures() {
        assertThat(SMALL.runs()).hasSize(117 * 2).doesNotHaveDuplicates();
    }

    @Test
    void fixedReservationsHaveEqualResultsInEveryOrder() {
        FlexibleResults results = new FlexibleResults(SMALL, Figured.of(SMALL, 2));

        for (double load : FlexibleStudy.LOADS) {
            var fifo = results.utilisation(Scenario.of(ReplanOrder.FIFO, Interval.FIXED, load));
            assertThat(FlexibleStudy.ORDERS)
                    .allSatisfy(order -> assertThat(results.utilisation(Scenario.of(order, Interval.FIXED, load)))
                            .isEqualTo(fifo));
        }
    }

    @Test
    void keepsTheJobsAndTheReadyTimesForEveryInterval() {
        var rigid = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1), 1));
        var flexible = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.LONG, 1), 1));

        assertThat(flexible).hasSameSizeAs(rigid).hasSizeGreaterThan(500);
        assertThat(IntStream.range(0, rigid.size()))
                .allMatch(i -> rigid.get(i).request().readyTime()
                        == flexible.get(i).request().readyTime());
        double longer = flexible.stream().filter(job -> slack(job) > 0).count();
        assertThat(longer / flexible.size()).isBetween(0.45, 0.55);
        assertThat(rigid).allMatch(job -> slack(job) == 0);
        assertThat(flexible).allMatch(job -> job.share().equals(RunShare.WHOLE));
    }

    @Test
    void compressesTheSubmissionsAndShortensRunsThatWereOverestimated() {
        var normal = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1), 1));
        var denser =
                WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1.25).with(RunTimes.OVERESTIMATED), 1));

        assertThat(IntStream.range(0, normal.size()))
                .allMatch(i -> denser.get(i).request().submit()
                        == (long) (normal.get(i).request().submit() / 1.25));
        assertThat(denser.stream()
                        .mapToDouble(job -> 100 * job.share().part())
                        .average()
                        .orElseThrow())
                .isBetween(78.5, 80.5);
        assertThat(List.of(
                        FixedAt.ACCEPTANCE.fixing().fixesAt(100, 300, 0),
                        FixedAt.START.fixing().fixesAt(100, 300, 0)))
                .containsExactly(100L, 300L);
    }

    @Test
    void runsInAnotherVersionOnlyItsComparedScenarios() {
        assertThat(Version.values())
                .extracting(version ->
                        study(SMALL.setup().jobs(), version).scenarios().size())
                .containsExactly(117, 60, 33, 24, 24, 21, 21, 45, 33, 24, 9);
        for (Version version : Version.values()) {
            var study = study(SMALL.setup().jobs(), version);
            var results = new FlexibleResults(study, Figured.of(study, 2));
            assertThat(results.claims()).isNotEmpty();
            assertThat(results.paperFigures()).isNotEmpty();
        }
    }

    @Test
    void borrowsJobsOfTheNextWindowWhereLoadGrowsByMoreJobs() {
        var study = study(JobWindows.modelled(1, 2, Sp2Setup.WINDOW), Version.MORE_JOBS);
        List<ReservationRequest> normal = requests(study, Scenario.of(Interval.LONG, 1));
        List<ReservationRequest> more = requests(study, Scenario.of(Interval.LONG, 1.25));
        List<ReservationRequest> most = requests(study, Scenario.of(Interval.LONG, 1.5));

        assertThat(normal)
                .isEqualTo(requests(study(study.setup().jobs(), Version.OURS), Scenario.of(Interval.LONG, 1)));
        assertThat(more).containsAll(normal).isSortedAccordingTo(Comparator.comparingLong(ReservationRequest::submit));
        assertThat(most).containsAll(normal);
        assertThat(most.stream().map(ReservationRequest::job))
                .containsAll(more.stream().map(ReservationRequest::job).toList());
        double others =
                study.jobs(new FlexibleRun(Scenario.of(Interval.LONG, 1), 2)).size();
        assertThat((more.size() - normal.size()) / others).isBetween(0.2, 0.3);
        assertThat((most.size() - normal.size()) / others).isBetween(0.45, 0.55);
        assertThat(List.of(study.span(1), study.span(1.5))).containsOnly((double) Sp2Setup.WINDOW);
        assertThat(WHOLE.span(1.5)).isEqualTo(Sp2Setup.WINDOW / 1.5);
    }

    @Test
    void estimatesRunsOfTheLogTooLongAndLetsThemTakeAsLongAsLogged() {
        var scenario = Scenario.of(Interval.LONG, 1);
        var study = study(WHOLE.setup().jobs(), Version.LOGGED_RUNS);
        List<ReservationRequest> exact = requests(study, scenario);
        List<Job> estimated = study.jobs(new FlexibleRun(scenario.with(RunTimes.OVERESTIMATED), 1));

        assertThat(IntStream.range(0, exact.size())).allSatisfy(i -> {
            ReservationRequest asked = estimated.get(i).request();
            ReservationRequest logged = exact.get(i);
            assertThat(asked.duration() * estimated.get(i).share().part()).isCloseTo(logged.duration(), within(1.0));
            assertThat((double) (asked.readyTime() - asked.submit()) / asked.duration())
                    .isEqualTo((double) (logged.readyTime() - logged.submit()) / logged.duration());
            assertThat(slack(asked) / (double) asked.duration())
                    .isCloseTo(slack(logged) / (double) logged.duration(), within(0.02));
        });
        assertThat(estimated.stream()
                        .mapToDouble(job -> 100 * job.share().part())
                        .average()
                        .orElseThrow())
                .isBetween(78.5, 80.5);
    }

    @Test
    void pullsWaitingRunsForwardWhenARunEndsEarly() {
        var run = new FlexibleRun(Scenario.of(Interval.LONG, 1.5).with(RunTimes.OVERESTIMATED), 1);
        var pulled = study(SMALL.setup().jobs(), Version.PULLED_FORWARD);

        assertThat(pulled.jobs(run)).isEqualTo(SMALL.jobs(run));
        assertThat(pulled.figures(run).all().moves())
                .isGreaterThan(SMALL.figures(run).all().moves());
        var exact = new FlexibleRun(Scenario.of(Interval.LONG, 1.5), 1);
        assertThat(pulled.figures(exact)).isEqualTo(SMALL.figures(exact));
    }

    @Test
    void takesTheLargeJobsAlone() {
        var scenario = new FlexibleRun(Scenario.of(Interval.LONG, 1), 1);
        List<Job> large = study(WHOLE.setup().jobs(), Version.LARGE_JOBS).jobs(scenario);

        assertThat(large)
                .hasSizeBetween(10, WHOLE.jobs(scenario).size() / 2)
                .allMatch(
                        job -> job.request().duration() >= 1800 && job.request().pes() >= 8);
    }

    @Test
    void reservesAsLongAsUsersAskedForAndRunsAsLongAsLogged() {
        var jobs = new JobWindows(
                "a log",
                OptionalInt.empty(),
                Sp2Setup.WINDOW,
                List.of(List.of(
                        new SwfJob(1, 0, 600, 4, 4, 1200, 1),
                        new SwfJob(2, 10, 900, 4, 4, 700, 1),
                        new SwfJob(3, 20, 800, 4, 4, -1, 1),
                        new SwfJob(4, 30, 50, 4, 4, 1200, 1))),
                LogFaults.NONE);

        List<Job> asked = study(jobs, Version.REQUESTED_TIMES).jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1), 1));

        assertThat(asked).extracting(job -> job.request().duration()).containsExactly(1200L, 700L, 800L);
        assertThat(asked).extracting(Job::share).extracting(RunShare::part).containsExactly(0.5, 1.0, 1.0);
        var users = study(jobs, Version.USERS_ESTIMATES);
        var exact = Scenario.of(Interval.FIXED, 1);
        assertThat(users.jobs(new FlexibleRun(exact.with(RunTimes.OVERESTIMATED), 1)))
                .isEqualTo(asked);
        assertThat(users.jobs(new FlexibleRun(exact, 1)))
                .isEqualTo(study(jobs, Version.OURS).jobs(new FlexibleRun(exact, 1)));
    }

    @Test
    void asksForAlternativesForHalfOfTheJobsOrMakesAllFlexible() {
        var offered = Scenario.of(Interval.FIXED, 1).suggesting(Interval.LONG);
        List<Job> half = study(WHOLE.setup().jobs(), Version.HALF_ASK).jobs(new FlexibleRun(offered, 1));
        double asking = half.stream().filter(job -> job.maxPhi().isPresent()).count();

        assertThat(asking / half.size()).isBetween(0.45, 0.55);
        assertThat(WHOLE.jobs(new FlexibleRun(offered, 1)))
                .allMatch(job -> job.maxPhi().isPresent() && job.choice() == Choice.NEAREST);
        assertThat(study(WHOLE.setup().jobs(), Version.FARTHEST).jobs(new FlexibleRun(offered, 1)))
                .allMatch(job -> job.choice() == Choice.FARTHEST);
        assertThat(requests(study(WHOLE.setup().jobs(), Version.ALL_FLEXIBLE), Scenario.of(Interval.LONG, 1)))
                .allMatch(request -> slack(request) > 0);
    }

    @Test
    void readsTheSameRunsWithOtherMeasures() {
        var results = new FlexibleResults(SMALL, Figured.of(SMALL, 2));

        assertThat(results.readings())
                .extracting(
                        reading -> reading.claims().stream().map(PaperClaim::id).toList())
                .containsExactly(
                        List.of("000-C1", "000-C2", "000-C3", "000-C4", "000-C5", "000-C6", "000-C7"),
                        List.of("000-C3"),
                        List.of("000-C5"),
                        List.of("000-C5"),
                        List.of("000-C8"));
        var logged = study(SMALL.setup().jobs(), Version.LOGGED_RUNS);
        assertThat(new FlexibleResults(logged, Figured.of(logged, 2)).readings())
                .extracting(OtherReading::says)
                .containsExactly("reserved PE-seconds, not used ones");
        var exact = results.of(new FlexibleRun(Scenario.of(Interval.LONG, 1), 1));
        var shorter = results.of(new FlexibleRun(Scenario.of(Interval.LONG, 1).with(RunTimes.OVERESTIMATED), 1));
        assertThat(exact.reserved()).isEqualTo(exact.all().area());
        assertThat(shorter.all().area() / shorter.reserved()).isBetween(0.75, 0.85);
    }

    @ParameterizedTest
    @EnumSource
    void judgesAllClaimsUnderEachReadingIfAsked(Version version) {
        var every = new FlexibleStudy(SMALL.setup(), version, Judged.ALL);
        var results = new FlexibleResults(every, Figured.of(every, 2));

        assertThat(results.claims()).extracting(PaperClaim::id).hasSize(8).doesNotHaveDuplicates();
        assertThat(results.readings())
                .allSatisfy(reading -> assertThat(reading.every()).hasSize(8).containsAll(reading.claims()));
    }

    private static List<ReservationRequest> requests(FlexibleStudy study, Scenario scenario) {
        return study.jobs(new FlexibleRun(scenario, 1)).stream()
                .map(Job::request)
                .toList();
    }

    private static FlexibleStudy study(JobWindows jobs, Version version) {
        return new FlexibleStudy(new Sp2Setup(jobs, 1), version, Judged.SOME);
    }

    private static long slack(Job job) {
        return slack(job.request());
    }

    private static long slack(ReservationRequest request) {
        return request.deadline() - request.readyTime() - request.duration();
    }
}
