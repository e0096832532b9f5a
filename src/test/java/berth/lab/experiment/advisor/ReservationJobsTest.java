package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.lab.experiment.RunEnds;
import berth.lab.simulation.Job;
import berth.lab.simulation.RunShare;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.SkipReason;
import berth.lab.workload.SwfJob;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservationJobsTest {
    private static final AdvanceReservationRecipe RECIPE = new AdvanceReservationRecipe(128, 5, 0.5, 100);

    @Test
    void reservesTheRunTimeAndTakesAllOfIt() {
        assertThat(jobs(1, new RunEnds.AsReserved()).of(List.of(job(1, 500, 600, 3600, 8))))
                .singleElement()
                .satisfies(asked -> {
                    assertThat(asked.request().duration()).isEqualTo(600);
                    assertThat(asked.request().submit()).isEqualTo(500);
                    assertThat(asked.share()).isEqualTo(RunShare.WHOLE);
                });
    }

    @Test
    void reservesTheRequestedTimeAndEndsExactlyAfterTheRunTime() {
        assertThat(jobs(1, new RunEnds.AsLogged())
                        .of(List.of(
                                job(1, 0, 601, 3600, 8),
                                job(2, 0, 4000, 3600, 8),
                                job(3, 0, 700, -1, 8),
                                job(4, 0, 3600, 3600, 8))))
                .extracting(asked -> asked.request().duration(), Job::share)
                .containsExactly(
                        tuple(3600L, new RunShare(601, 3600)),
                        tuple(3600L, RunShare.WHOLE),
                        tuple(700L, RunShare.WHOLE),
                        tuple(3600L, RunShare.WHOLE));
    }

    @Test
    void leavesOutJobsByTheirRunTimeWhateverIsReserved() {
        var logged = jobs(1, new RunEnds.AsLogged());

        assertThat(logged.leftOut(job(1, 0, 59, 3600, 8))).contains(SkipReason.SHORT);
        assertThat(logged.leftOut(job(1, 0, 60, 59, 8))).contains(SkipReason.SHORT);
        assertThat(logged.leftOut(job(1, 0, 60, 3600, 129))).contains(SkipReason.TOO_LARGE);
        assertThat(logged.leftOut(job(1, 0, 60, 3600, 0))).contains(SkipReason.NO_PES);
        assertThat(logged.leftOut(job(1, 0, 60, 3600, 128))).isEmpty();
        assertThat(logged.of(List.of(job(1, 0, 59, 3600, 8)))).isEmpty();
    }

    @Test
    void drawsTheUsedShareAndDoesNotChangeTheRequests() {
        var window = IntStream.rangeClosed(1, 400)
                .mapToObj(number -> job(number, number * 100L, 1000, 3600, 8))
                .toList();
        var whole = jobs(2, new RunEnds.AsReserved()).of(window);
        var part = jobs(2, new RunEnds.AfterPercent(80)).of(window);

        assertThat(part)
                .extracting(Job::request)
                .isEqualTo(whole.stream().map(Job::request).toList());
        assertThat(part.stream()
                        .mapToDouble(job -> 100 * job.share().part())
                        .average()
                        .orElseThrow())
                .isBetween(78.5, 81.5);
        assertThat(part.get(9).request().submit()).as("twice as dense").isEqualTo(500);
    }

    private static ReservationJobs jobs(double load, RunEnds ends) {
        return new ReservationJobs(RECIPE, load, ends);
    }

    private static SwfJob job(long number, long submit, long runTime, long requestedTime, long pes) {
        return new SwfJob(number, submit, runTime, pes, pes, requestedTime, 1);
    }
}
