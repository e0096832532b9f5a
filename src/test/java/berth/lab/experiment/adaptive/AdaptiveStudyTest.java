package berth.lab.experiment.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.lab.experiment.Figured;
import berth.lab.experiment.JobSelection;
import berth.lab.experiment.Judged;
import berth.lab.experiment.Paper;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sp2Setup;
import berth.lab.simulation.Job;
import berth.lab.workload.JobWindows;
import berth.lab.workload.SwfJob;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveStudyTest {
    private static final int RUNS = 6 * 2 * 6 * 2;

    /** A study with windows of a day and a half instead of fifteen days. */
    private static final AdaptiveStudy SMALL = study(JobWindows.modelled(1, 2, 130_000), JobSelection.ALL);

    @Test
    void writesTheSameTablesWithOneThreadAndWithTwo() {
        AdaptiveResults one = new AdaptiveResults(SMALL, Figured.of(SMALL, 1));
        AdaptiveResults two = new AdaptiveResults(SMALL, Figured.of(SMALL, 2));

        assertThat(two.runs().lines()).isEqualTo(one.runs().lines());
        assertThat(two.paperFigures()).isEqualTo(one.paperFigures());
        assertThat(two.claims()).isEqualTo(one.claims());
        assertThat(one.runs().lines()).hasSize(1 + RUNS);
        assertThat(SMALL.runs()).hasSize(RUNS).doesNotHaveDuplicates();
    }

    @Test
    void earnsTheAgreedPricesOfRigidRunsAndLosesTheDiscountsOfOthers() {
        AdaptiveResults results = new AdaptiveResults(SMALL, Figured.of(SMALL, 2));

        for (double load : AdaptiveStudy.LOADS) {
            var rigid = results.of(new AdaptiveRun(new AdaptiveSetting(RequestType.RIGID, Scheduler.FIFO, load), 1));
            assertThat(rigid.profits().getFirst()).isCloseTo(rigid.agreed(), within(0.01));
            assertThat(rigid.profits())
                    .allSatisfy(profit ->
                            assertThat(profit).isEqualTo(rigid.profits().getFirst()));
            assertThat(rigid.modified()).isZero();
            assertThat(rigid.all().moves()).isZero();
            var preemptible = results.of(
                    new AdaptiveRun(new AdaptiveSetting(RequestType.PREEMPTIBLE_60, Scheduler.MDF, load), 1));
            assertThat(preemptible.profits())
                    .isSortedAccordingTo((one, other) -> Double.compare(other, one))
                    .doesNotHaveDuplicates();
            assertThat(preemptible.agreed())
                    .isLessThanOrEqualTo(preemptible.profits().getFirst() + 0.01);
            var moldable =
                    results.of(new AdaptiveRun(new AdaptiveSetting(RequestType.MOLDABLE, Scheduler.MDF, load), 1));
            assertThat(moldable.modified()).isBetween(moldable.modification(), 1.0);
        }
    }

    @Test
    void findsNoGainOfASettingOverItself() {
        AdaptiveResults results = new AdaptiveResults(SMALL, Figured.of(SMALL, 2));
        var traditional = new AdaptiveSetting(RequestType.RIGID, Scheduler.FIFO, 1.5);

        assertThat(results.profitGain(traditional, traditional, 0).values()).containsOnly(0.0);
        assertThat(results.completionCut(traditional, traditional).values()).containsOnly(0.0);
        assertThat(results.rejectionCut(traditional, traditional).values()).containsOnly(0.0);
    }

    @Test
    void selectsLargeJobsOrASample() {
        var jobs = JobWindows.modelled(1, 1, Sp2Setup.WINDOW);
        var all = numbers(study(jobs, JobSelection.ALL));
        var large = numbers(study(jobs, JobSelection.LARGE));
        var sample = numbers(study(jobs, JobSelection.SAMPLE));

        assertThat(all).containsAll(large).containsAll(sample);
        assertThat((double) sample.size() / all.size()).isCloseTo(0.274, within(0.05));
        assertThat(large).hasSizeBetween(10, all.size() / 2);
        assertThat(study(jobs, JobSelection.LARGE).jobs(run(1)))
                .allMatch(
                        job -> job.request().duration() >= 1800 && job.request().pes() >= 8);
        assertThat(study(jobs, JobSelection.HOUR_LONG).jobs(run(1)))
                .isNotEmpty()
                .allMatch(
                        job -> job.request().duration() >= 3600 && job.request().pes() >= 2);
    }

    @Test
    void takesTheQueuesNormalAndLowOfALogThatNamesThem() {
        var isTaken = JobSelection.NORMAL_AND_LOW.filter(1);

        assertThat(isTaken.test(queued(3, 1800, 2))).isTrue();
        assertThat(isTaken.test(queued(4, 1800, 2))).isTrue();
        assertThat(isTaken.test(queued(2, 1800, 2))).isFalse();
        assertThat(isTaken.test(queued(3, 1799, 2))).isFalse();
        assertThat(isTaken.test(queued(3, 1800, 1))).isFalse();
    }

    private static SwfJob queued(int queue, long seconds, int pes) {
        return new SwfJob(1, 0, seconds, pes, pes, seconds, 1, SwfJob.COMPLETED, queue);
    }

    @Test
    void compressesTheSubmissions() {
        var normal = SMALL.jobs(run(1));
        var denser = SMALL.jobs(run(1.5));

        assertThat(denser)
                .extracting(job -> job.request().submit())
                .isEqualTo(normal.stream()
                        .map(job -> (long) (job.request().submit() / 1.5))
                        .toList());
    }

    @Test
    void readsTheSameRunsWithOtherMeasures() {
        AdaptiveResults results = new AdaptiveResults(SMALL, Figured.of(SMALL, 2));

        assertThat(results.readings())
                .extracting(
                        reading -> reading.claims().stream().map(PaperClaim::id).toList())
                .containsExactly(
                        List.of(
                                "003-C1",
                                "003-C3",
                                "003-C3-corrected",
                                "003-C5",
                                "003-C6",
                                "003-C7",
                                "003-C7-corrected"),
                        List.of(
                                "003-C1",
                                "003-C3",
                                "003-C3-corrected",
                                "003-C5",
                                "003-C6",
                                "003-C7",
                                "003-C7-corrected"),
                        List.of("003-C1", "003-C2"),
                        List.of("003-C3", "003-C3-corrected"),
                        List.of("003-C7", "003-C7-corrected"),
                        List.of("003-C6", "003-C7", "003-C7-corrected"),
                        List.of("003-C1", "003-C2", "003-C3", "003-C3-corrected", "003-C4", "003-C5"));
        // with two windows none is left out in any case
        assertThat(results.readings().getLast().claims())
                .isEqualTo(results.claims().subList(0, 6));
    }

    @Test
    void variesTheJobsAndTheDeadlines() {
        var jobs = SMALL.setup().jobs();

        assertThat(names(AdaptivePaper.of(jobs, Judged.SOME, 1)))
                .containsExactly(
                        "003-kept-shapes",
                        "003-large-jobs",
                        "003-hour-long",
                        "003-sample",
                        "003-later-deadlines",
                        "003-large-jobs-later-deadlines");
        assertThat(names(AdaptivePaper.of(jobs, JobSelection.LARGE, Judged.SOME, 1)))
                .containsExactly(
                        "003-large-jobs-kept-shapes",
                        "003",
                        "003-hour-long",
                        "003-sample",
                        "003-large-jobs-later-deadlines");
    }

    private static List<String> names(Paper paper) {
        return paper.variations().stream()
                .map(variation -> variation.study().name())
                .toList();
    }

    @Test
    void keepsOrReplacesTheShapesOfMovedRuns() {
        var kept = SMALL.keepingShapes();
        var moldable = new AdaptiveRun(new AdaptiveSetting(RequestType.MOLDABLE, Scheduler.MDF, 1.5), 1);
        var rigid = new AdaptiveRun(new AdaptiveSetting(RequestType.RIGID, Scheduler.MDF, 1.5), 1);

        assertThat(kept.jobs(moldable)).isEqualTo(SMALL.jobs(moldable));
        assertThat(kept.figures(moldable)).isNotEqualTo(SMALL.figures(moldable));
        assertThat(kept.figures(rigid)).isEqualTo(SMALL.figures(rigid));
        var results = new AdaptiveResults(kept, Figured.of(kept, 2));
        assertThat(results.claims()).hasSameSizeAs(new AdaptiveResults(SMALL, Figured.of(SMALL, 2)).claims());
        assertThat(results.readings()).isEmpty();
    }

    @Test
    void runsTheLeastAndTheGreatestLoadWithLaterDeadlines() {
        var later = SMALL.withLaterDeadlines(Judged.SOME);
        AdaptiveResults results = new AdaptiveResults(later, Figured.of(later, 2));

        assertThat(later.runs()).hasSize(RUNS / 3);
        assertThat(results.claims()).extracting(PaperClaim::id).containsExactly("003-C1", "003-C2", "003-C5");
        assertThat(results.readings())
                .hasSize(2)
                .allSatisfy(reading ->
                        assertThat(reading.claims()).extracting(PaperClaim::id).containsExactly("003-C1", "003-C5"));
        assertThat(results.paperFigures()).hasSize(8);
        var asked = SMALL.jobs(run(1));
        var more = later.jobs(run(1));
        assertThat(IntStream.range(0, asked.size()))
                .allMatch(i -> more.get(i).request().deadline()
                        == asked.get(i).request().deadline()
                                + asked.get(i).request().duration());
    }

    @Test
    void judgesAllClaimsWithLaterDeadlinesIfAsked() {
        var later = SMALL.withLaterDeadlines(Judged.ALL);
        AdaptiveResults results = new AdaptiveResults(later, Figured.of(later, 2));

        assertThat(later.name()).isEqualTo(SMALL.withLaterDeadlines(Judged.SOME).name());
        assertThat(later.runs()).hasSize(RUNS);
        assertThat(results.claims()).hasSize(9);
        assertThat(results.readings())
                .hasSize(2)
                .allSatisfy(reading -> assertThat(reading.every()).hasSize(9));
    }

    private static AdaptiveStudy study(JobWindows jobs, JobSelection selection) {
        return AdaptiveStudy.of(new Sp2Setup(jobs, 1), selection);
    }

    private static AdaptiveRun run(double load) {
        return new AdaptiveRun(new AdaptiveSetting(RequestType.BOTH_60, Scheduler.MDF, load), 1);
    }

    private static Set<Long> numbers(AdaptiveStudy study) {
        return study.jobs(run(1)).stream()
                .map(Job::request)
                .map(request -> request.job())
                .collect(Collectors.toSet());
    }
}
