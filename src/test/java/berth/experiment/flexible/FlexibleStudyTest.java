package berth.experiment.flexible;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.ReplanOrder;
import berth.experiment.Figured;
import berth.simulation.Job;
import berth.workload.JobWindows;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlexibleStudyTest {
    /** A day and a half instead of fifteen days. */
    private static final FlexibleStudy SMALL = new FlexibleStudy(JobWindows.modelled(1, 2, 130_000), 1);

    private static final FlexibleStudy WHOLE = new FlexibleStudy(JobWindows.modelled(1, 1, FlexibleStudy.WINDOW), 1);

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
    void leavesNothingToTheOrderWhereEverythingIsFixed() {
        FlexibleResults results = new FlexibleResults(SMALL, Figured.of(SMALL, 2));

        for (double load : FlexibleStudy.LOADS) {
            var fifo = results.utilisation(Scenario.of(ReplanOrder.FIFO, Interval.FIXED, load));
            assertThat(FlexibleStudy.ORDERS)
                    .allSatisfy(order -> assertThat(results.utilisation(Scenario.of(order, Interval.FIXED, load)))
                            .isEqualTo(fifo));
        }
    }

    @Test
    void keepsTheJobsAndTheReadyTimesWhateverTheInterval() {
        var rigid = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1), 1));
        var flexible = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.LONG, 1), 1));

        assertThat(flexible).hasSameSizeAs(rigid).hasSizeGreaterThan(500);
        assertThat(IntStream.range(0, rigid.size()))
                .allMatch(i -> rigid.get(i).request().readyTime()
                        == flexible.get(i).request().readyTime());
        double longer = flexible.stream().filter(job -> slack(job) > 0).count();
        assertThat(longer / flexible.size()).isBetween(0.45, 0.55);
        assertThat(rigid).allMatch(job -> slack(job) == 0);
        assertThat(flexible).allMatch(job -> job.percent() == 100);
    }

    @Test
    void compressesTheSubmissionsAndShortensRunsThatWereOverestimated() {
        var normal = WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1), 1));
        var denser =
                WHOLE.jobs(new FlexibleRun(Scenario.of(Interval.FIXED, 1.25).with(RunTimes.OVERESTIMATED), 1));

        assertThat(IntStream.range(0, normal.size()))
                .allMatch(i -> denser.get(i).request().submit()
                        == (long) (normal.get(i).request().submit() / 1.25));
        assertThat(denser.stream().mapToInt(Job::percent).average().orElseThrow())
                .isBetween(78.5, 80.5);
        assertThat(List.of(
                        FixedAt.ACCEPTANCE.fixing().fixesAt(100, 300, 0),
                        FixedAt.START.fixing().fixesAt(100, 300, 0)))
                .containsExactly(100L, 300L);
    }

    private static long slack(Job job) {
        var request = job.request();
        return request.deadline() - request.readyTime() - request.duration();
    }
}
