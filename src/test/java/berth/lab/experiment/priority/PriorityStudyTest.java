package berth.lab.experiment.priority;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Extent;
import berth.lab.experiment.Figured;
import berth.lab.experiment.Paper.Variation;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.priority.GridRecipe.Arrivals;
import berth.lab.experiment.priority.GridRecipe.Lengths;
import berth.lab.experiment.priority.GridRecipe.Starts;
import berth.lab.experiment.priority.PriorityStudy.Rounds;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriorityStudyTest {
    private static final GridRecipe FEW = PriorityPaper.recipe(3, 24, 1);
    private static final PriorityStudy SMALL = new PriorityStudy("002", 1, 2, FEW, Rounds.AS_READ);

    @Test
    void findsTheSameWithOneThreadAndWithTwo() {
        var one = SMALL.findings(Figured.of(SMALL, 1));
        var two = SMALL.findings(Figured.of(SMALL, 2));

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines()).hasSize(1 + 2 * 4 * 2);
        assertThat(two.figures()).isEqualTo(one.figures());
        assertThat(two.claims()).isEqualTo(one.claims());
    }

    @Test
    void changesOnlyTheVariedPropertyOfJobs() {
        List<GridJob> jobs = FEW.jobs(7);
        List<GridJob> later = FEW.starting(new Starts(0, 48)).jobs(7);
        List<GridJob> apart = FEW.coming(new Arrivals(86_400, true)).jobs(7);

        assertThat(later).extracting(GridJob::arrival).isEqualTo(arrivals(jobs));
        assertThat(later)
                .extracting(GridJob::start)
                .isNotEqualTo(jobs.stream().map(GridJob::start).toList());
        assertThat(apart)
                .extracting(GridJob::runTime)
                .containsExactlyInAnyOrderElementsOf(
                        jobs.stream().map(GridJob::runTime).toList());
        assertThat(apart).extracting(GridJob::arrival).isSorted().doesNotHaveDuplicates();
        assertThat(apart).allMatch(job -> job.start() > job.arrival());
        assertThat(jobs).extracting(GridJob::arrival).allMatch(arrival -> arrival < GridRecipe.TEN_MINUTES);
    }

    private static List<Long> arrivals(List<GridJob> jobs) {
        return jobs.stream().map(GridJob::arrival).toList();
    }

    @Test
    void handsJobsInWhenTheirRoundIsDue() {
        assertThat(Rounds.AS_READ.after(0)).isEqualTo(600);
        assertThat(Rounds.AS_READ.after(599)).isEqualTo(600);
        assertThat(Rounds.AS_READ.after(600)).isEqualTo(1200);
        assertThat(Rounds.AT_EVERY_ARRIVAL.after(599)).isEqualTo(600);
    }

    @Test
    void variesTheReadingsOfThePaper() {
        var paper = PriorityPaper.of(FEW, 300, Extent.WHOLE, 1);

        assertThat(paper.variations()).hasSize(8).extracting(Variation::study).doesNotHaveDuplicates();
        assertThat(paper.variations())
                .allSatisfy(variation -> assertThat(variation.study().runs()).hasSize(20 * 8))
                .allSatisfy(variation -> assertThat(variation.study().name()).startsWith("002-"));
    }

    @Test
    void asksForStartsADayAheadOnTheResourcesOfGridSimsExample() {
        var example = FEW.on(Grid.GRIDSIM).starting(new Starts(24.25, 8.25)).ofLengths(new Lengths(1e5, 5e5));
        List<GridJob> jobs = example.jobs(7);

        assertThat(jobs).allMatch(job -> job.start() >= 24.25 * 3600 && job.start() <= 600 + 32.5 * 3600);
        assertThat(jobs).extracting(GridJob::runTime).allMatch(seconds -> seconds >= 240 && seconds <= 1200);
        for (Grid grid : Grid.values()) {
            assertThat(grid.pes()).hasSize(grid.resources()).hasSameSizeAs(grid.mips());
            assertThat(grid.pes().stream().mapToInt(Integer::intValue).sum()).isEqualTo(47);
        }
    }

    @Test
    void judgesTheWaitingTimeOfReservedJobsAloneToo() {
        var figures = Figured.of(SMALL, 1);
        var readings = SMALL.findings(figures).readings();

        assertThat(readings).hasSize(1);
        assertThat(readings.getFirst().claims()).extracting(PaperClaim::id).containsExactly("002-C1", "002-C2");
        figures.forEach((run, figure) -> {
            if (run.share() == 0) {
                assertThat(figure.reservedWaiting()).isEqualTo(figure.waiting());
            } else {
                // their starts are chosen within a day, on average after twelve hours
                assertThat(figure.reservedWaiting()).isBetween(6.0, 18.0).isGreaterThan(figure.waiting());
            }
        });
    }

    @Test
    void withoutAQueueJobsWaitOnlyForTheirRound() {
        // so few jobs that each starts when it arrives at its resource
        var idle = SMALL.of(
                "002-idle",
                new GridRecipe(2, 1, Grid.OURS, Lengths.OURS.times(0.01), new Starts(0, 24), Arrivals.AT_ONCE));
        var figures = Figured.of(idle, 1);

        assertThat(figures.entrySet().stream()
                        .filter(run -> run.getKey().share() == 0 && run.getKey().order() == Order.DPSAR))
                .hasSize(2)
                .allSatisfy(run -> {
                    assertThat(run.getValue().offset()).isZero();
                    assertThat(run.getValue().waiting()).isPositive();
                });
    }
}
