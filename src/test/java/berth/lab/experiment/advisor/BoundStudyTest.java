package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Figured;
import berth.lab.experiment.RunEnds;
import berth.lab.experiment.advisor.MostAccepted.Proof;
import berth.lab.simulation.RunShare;
import berth.lab.workload.JobWindows;
import berth.lab.workload.LogFaults;
import berth.lab.workload.SwfJob;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BoundStudyTest {
    private static final long DAY = 86_400;
    private static final Setting NEVER =
            new Setting(PlacementPolicy.FIRST_FIT, Juggling.NEVER, ReplanOrder.FIFO, Binding.LATE);

    @Test
    void takesTheRequestsThatAreClosestTogetherInTheOrderOfTheirSubmission() {
        List<SwfJob> jobs = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            jobs.add(job(i, i * 3600L, 60, 1));
        }
        for (int i = 6; i <= 9; i++) {
            jobs.add(job(i, 12 * 3600 + i, 60, 128));
        }
        for (int i = 10; i <= 14; i++) {
            jobs.add(job(i, 15 * 3600L + i * 3600L, 60, 1));
        }
        var study = new BoundStudy(
                workload(
                        new JobWindows("made up", OptionalInt.empty(), DAY, List.of(jobs), LogFaults.NONE),
                        new RunEnds.AfterPercent(10)),
                List.of(NEVER),
                4,
                9,
                1);

        assertThat(study.jobs(new BoundRun(1), 7))
                .extracting(job -> job.request().job())
                .containsExactly(6L, 7L, 8L, 9L);
        assertThat(study.jobs(new BoundRun(1), 7))
                .as("they take all that they reserve")
                .allMatch(job ->
                        job.share().equals(RunShare.WHOLE) && job.maxPhi().isEmpty());
        assertThat(study.runs()).as("as many windows as there are").hasSize(1);
    }

    @Test
    void takesAllRequestsOfAWindowThatHasFewer() {
        var study = new BoundStudy(
                workload(
                        new JobWindows(
                                "made up",
                                OptionalInt.empty(),
                                DAY,
                                List.of(List.of(job(1, 0, 60, 1), job(2, 5, 60, 1))),
                                LogFaults.NONE),
                        new RunEnds.AsReserved()),
                List.of(NEVER),
                4,
                1,
                1);

        assertThat(study.figures(new BoundRun(1)).requests()).isEqualTo(2);
    }

    @Test
    void noSettingAcceptsMoreThanTheBound() {
        var study = new BoundStudy(
                workload(JobWindows.modelled(2, 3, 5 * DAY), new RunEnds.AsReserved()),
                Setting.crossing(
                        List.of(PlacementPolicy.FIRST_FIT, PlacementPolicy.PE_DURATION_WORST_FIT),
                        List.of(Juggling.values()),
                        List.of(ReplanOrder.values()),
                        List.of(Binding.values())),
                30,
                3,
                1);
        var figures = Figured.of(study, 1);
        var results = new BoundResults(study, figures);

        assertThat(figures.values()).allSatisfy(came -> {
            assertThat(came.accepted()).hasSize(study.settings().size()).allMatch(count -> count <= came.most());
            assertThat(came.most()).isLessThanOrEqualTo(came.requests());
        });
        assertThat(figures.values())
                .as("they are not too easy")
                .anyMatch(came -> came.accepted().stream().anyMatch(count -> count < came.most()));
        assertThat(results.findings().answers().getFirst().rows().getFirst()).contains("upper bound");
        assertThat(results.findings().runs().lines())
                .hasSize(1 + 3 * study.settings().size());
    }

    @Test
    void saysHowTightTheBoundIs() {
        var study = new BoundStudy(
                workload(JobWindows.modelled(2, 3, DAY), new RunEnds.AsReserved()), List.of(Setting.STANDARD), 5, 3, 1);

        assertThat(note(study, Proof.REACHED, Proof.REACHED, Proof.REACHED))
                .contains("in 3 of 3 windows there is a schedule that accepts as many")
                .doesNotContain("limit");
        assertThat(note(study, Proof.REACHED, Proof.NOT_MORE, Proof.REACHED))
                .contains("in 2 of 3 windows", "the solver met its limit");
        assertThat(note(study, Proof.NO_SOLVER, Proof.NO_SOLVER, Proof.NO_SOLVER))
                .contains("no exact solver for this platform");
    }

    private static String note(BoundStudy study, Proof... proofs) {
        var figures = new LinkedHashMap<BoundRun, BoundFigures>();
        for (int i = 0; i < proofs.length; i++) {
            figures.put(new BoundRun(i + 1), new BoundFigures(5, 5, proofs[i], List.of(4)));
        }
        return new BoundResults(study, figures).findings().answers().getFirst().note();
    }

    private static Workload workload(JobWindows jobs, RunEnds ends) {
        return new LogWorkload(jobs, 128, 0.5, 100, 1, ends, BigDecimal.ONE, 0);
    }

    private static SwfJob job(long number, long submit, long runTime, long pes) {
        return new SwfJob(number, submit, runTime, pes, pes, runTime, 1);
    }
}
