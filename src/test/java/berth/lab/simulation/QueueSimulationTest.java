package berth.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.cluster.Cluster;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BookAheadRecipe;
import berth.lab.workload.MixedWorkload;
import berth.lab.workload.MixedWorkload.Refused;
import berth.lab.workload.QueuedJob;
import berth.lab.workload.ReservationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QueueSimulationTest {
    private static final Cluster FOUR = Cluster.of("four", 4);

    @Test
    void startsJobsInTurnAndFillsInThoseThatDoNotDelayTheFirst() {
        var history =
                run(List.of(job(1, 0, 3, 100, 100), job(2, 1, 4, 50, 50), job(3, 2, 1, 98, 98), job(4, 3, 1, 98, 98)));

        assertThat(starts(history)).containsExactly(0L, 100L, 2L, 150L);
    }

    @Test
    void startsTheNextWhenAJobEndsBeforeItsEstimate() {
        var history = run(List.of(job(1, 0, 3, 100, 40), job(2, 1, 4, 50, 50), job(3, 2, 1, 60, 38)));

        assertThat(starts(history)).containsExactly(0L, 40L, 2L);
    }

    @Test
    void requestsDoNotGetThePlaceOfTheFirstJobButThoseOfOthers() {
        var jobs = List.of(job(1, 0, 4, 100, 100), job(2, 5, 4, 100, 100), job(3, 5, 4, 100, 100));

        var refused = run(jobs, request(9, 5, 100, 50, 4));
        var granted = run(jobs, request(9, 5, 200, 50, 4));

        assertThat(refused.granted()).isEmpty();
        assertThat(starts(refused)).containsExactly(0L, 100L, 200L);
        assertThat(granted.granted()).hasSize(1);
        assertThat(starts(granted)).containsExactly(0L, 100L, 250L);
        assertThat(granted.lastJobEnd()).isEqualTo(350);
    }

    @Test
    void decidesRequestsBeforeJobsThatCouldStartAtTheSameInstant() {
        var jobs = List.of(job(1, 0, 4, 100, 100), job(2, 1, 4, 50, 50), job(3, 2, 4, 50, 50));

        var history = run(jobs, request(9, 100, 150, 20, 4));

        assertThat(starts(history)).containsExactly(0L, 100L, 170L);
    }

    @Test
    void countsTheBacklogWhenARequestIsMade() {
        var jobs = List.of(job(1, 0, 4, 100, 100), job(2, 5, 2, 50, 10));

        var history = run(jobs, request(8, 20, 1000, 10, 4), request(9, 20, 2000, 10, 4));

        // 80 s that the first job can still run, 25 s of the whole cluster for the second, and then the reservation
        assertThat(history.bookings()).extracting(SimulatedBooking::backlog).containsExactly(105.0, 115.0);
    }

    @Test
    void goesOnFromARequestAsTheRunDoesWithIt() {
        var workload =
                new BookAheadRecipe(1, 600, 0).of(BatchLog.modelled(3, 200).jobs());
        List<Long> waits = new ArrayList<>();
        var history = QueueSimulation.run(Cluster.of("blue", 144), workload, moment -> {
            long start = moment.request().readyTime();
            moment.goesOn(OptionalLong.empty(), start);
            waits.add(
                    moment.offers(Cluster.of("blue", 144)).isEmpty()
                            ? -1
                            : waited(moment.goesOn(OptionalLong.of(start), Long.MAX_VALUE)));
        });

        assertThat(history).isEqualTo(QueueSimulation.run(Cluster.of("blue", 144), workload));
        assertThat(waits.getLast())
                .isEqualTo(history.bookings().getLast().granted().isEmpty() ? -1L : waited(history.jobs()));
        assertThat(waits).contains(-1L).anyMatch(wait -> wait >= 0);
    }

    @Test
    void goesOnWithoutTheJobsThatComeLater() {
        var jobs = List.of(job(1, 0, 4, 100, 100), job(2, 50, 1, 10, 10), job(3, 60, 1, 10, 10));
        List<Integer> counts = new ArrayList<>();

        QueueSimulation.run(FOUR, new MixedWorkload(jobs, List.of(request(9, 10, 500, 5, 1))), moment -> {
            counts.add(moment.goesOn(OptionalLong.empty(), 50).size());
            assertThatThrownBy(() -> moment.goesOn(OptionalLong.of(50), 50))
                    .isInstanceOf(BrokenRule.class)
                    .hasMessageContaining("request 9");
        });

        assertThat(counts).containsExactly(2);
    }

    @Test
    void aRefusedRequestIsSubmittedAsAJobWhereTheWorkloadSaysSo() {
        var jobs = List.of(job(1, 0, 4, 100, 100), job(2, 20, 4, 50, 50));
        var workload = new MixedWorkload(jobs, List.of(request(9, 10, 10, 30, 2)));

        assertThat(starts(QueueSimulation.run(FOUR, workload))).containsExactly(0L, 100L);

        var queued = QueueSimulation.run(FOUR, workload.with(Refused.QUEUED));
        assertThat(queued.bookings().getFirst().granted()).isEmpty();
        assertThat(queued.jobs()).extracting(run -> run.job().number()).containsExactly(1L, 9L, 2L);
        assertThat(starts(queued)).containsExactly(0L, 100L, 130L);
    }

    @Test
    void findsFaultsInAnImpossibleHistory() {
        var history = run(List.of(job(1, 0, 3, 100, 40), job(2, 50, 3, 10, 10)), request(9, 0, 60, 10, 1));
        var first = history.jobs().getFirst();
        var second = history.jobs().getLast();

        assertThatThrownBy(() -> with(history, first, first).check()).hasMessageContaining("PEs that another run had");
        assertThatThrownBy(() -> with(history, new JobRun(job(1, 0, 3, 100, 39), first.ended()))
                        .check())
                .hasMessageContaining("Job 1 ran longer or shorter than its run time");
        assertThatThrownBy(() -> with(history, new JobRun(job(2, 51, 3, 10, 10), second.ended()))
                        .check())
                .hasMessageContaining("Job 2 began before");
        assertThatThrownBy(() -> with(history, new JobRun(job(2, 50, 2, 10, 10), second.ended()))
                        .check())
                .hasMessageContaining("another number of PEs");
        var booking = history.bookings().getFirst();
        assertThatThrownBy(() -> new QueueHistory(
                                FOUR,
                                List.of(),
                                List.of(new SimulatedBooking(request(9, 0, 61, 10, 1), 0, booking.granted())))
                        .check())
                .hasMessageContaining("request 9 ran outside its window");
    }

    @Test
    void findsAJobThatWasOvertakenByOneThatAsksForNoLess() {
        var history = run(
                List.of(job(1, 0, 4, 100, 100), job(2, 20, 3, 50, 50), job(3, 20, 3, 50, 50), job(4, 20, 3, 60, 60)));
        var runs = history.jobs();

        assertThat(starts(history)).containsExactly(0L, 100L, 150L, 200L);
        assertThatThrownBy(() -> with(history, runs.get(2), runs.get(1)).check())
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("Job 3 was overtaken");
        with(history, runs.get(3), runs.get(1)).check();
    }

    private static QueueHistory with(QueueHistory history, JobRun... runs) {
        return new QueueHistory(history.cluster(), List.of(runs), history.bookings());
    }

    private static long waited(List<JobRun> runs) {
        return runs.stream().mapToLong(JobRun::waited).sum();
    }

    private static List<Long> starts(QueueHistory history) {
        return history.jobs().stream().map(JobRun::start).toList();
    }

    private static QueueHistory run(List<QueuedJob> jobs, ReservationRequest... requests) {
        return QueueSimulation.run(FOUR, new MixedWorkload(jobs, List.of(requests)));
    }

    private static QueuedJob job(long number, long submit, int pes, long estimate, long runTime) {
        return new QueuedJob(number, submit, pes, estimate, runTime);
    }

    /** Returns a request with only one possible start. */
    private static ReservationRequest request(long job, long submit, long start, long duration, int pes) {
        return new ReservationRequest(job, submit, start, start + duration, duration, pes);
    }
}
