package berth.lab.experiment.priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import berth.cluster.Cluster;
import berth.lab.experiment.priority.ResourceRun.Handed;
import berth.lab.simulation.BrokenRule;
import berth.lab.simulation.JobRun;
import berth.lab.simulation.QueueHistory;
import berth.lab.simulation.SimulatedBooking;
import berth.lab.workload.QueuedJob;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceRunTest {
    private static final Cluster TWO = PriorityStudy.cluster("two", 2, BigDecimal.ONE);

    /** Two jobs reserve both PEs from 100 on, a third is rejected, and other jobs run around them. */
    private static final List<Handed> HANDED = List.of(
            reserved(0, 50, 100),
            reserved(1, 30, 100),
            reserved(2, 10, 120),
            queued(3, 90),
            queued(4, 95),
            queued(5, 20));

    private static Handed reserved(int number, long runTime, long start) {
        return new Handed(new GridJob(number, 0, 1, 0, runTime, 0, 0, start), true, 0);
    }

    private static Handed queued(int number, long runTime) {
        return new Handed(new GridJob(number, 0, 1, 5, runTime, 0, 0, 0), false, 5);
    }

    @Test
    void runsReservationsAtTheirStartsAndJobsAroundThem() {
        var history = ResourceRun.of(TWO, HANDED);

        assertThat(history.bookings())
                .extracting(booking ->
                        booking.granted().map(one -> one.slot().start()).orElse(-1L))
                .containsExactly(100L, 100L, -1L);
        assertThat(history.jobs())
                .extracting(run -> run.job().number(), JobRun::start, JobRun::end)
                .containsExactly(tuple(3L, 5L, 95L), tuple(4L, 5L, 100L), tuple(5L, 130L, 150L));
    }

    @Test
    void runsFasterOnAFasterResource() {
        var history = ResourceRun.of(PriorityStudy.cluster("fast", 2, BigDecimal.TWO), HANDED);

        assertThat(history.jobs()).extracting(JobRun::end).containsExactly(50L, 53L, 60L);
        assertThat(history.granted()).extracting(one -> one.slot().end()).containsExactly(125L, 115L, 125L);
    }

    @Test
    void checksEveryRunForBrokenRules() {
        var history = ResourceRun.of(TWO, HANDED);

        broken(
                new QueueHistory(Cluster.of("two", 1), history.jobs(), history.bookings()),
                "PEs that the cluster does not have");
        broken(new QueueHistory(TWO, twice(history.jobs().getFirst()), List.of()), "began on PEs that another run had");
        broken(
                new QueueHistory(TWO, List.of(), twice(history.bookings().getFirst())),
                "began on PEs that another run had");
        broken(
                new QueueHistory(TWO, List.of(longer(history.jobs().getFirst())), List.of()),
                "Job 3 ran longer or shorter than its run time");
        broken(
                new QueueHistory(
                        TWO, List.of(), List.of(later(history.bookings().getFirst()))),
                "ran outside its window");
    }

    private static void broken(QueueHistory history, String how) {
        assertThatThrownBy(history::check).isInstanceOf(BrokenRule.class).hasMessageContaining(how);
    }

    private static <T> List<T> twice(T one) {
        return List.of(one, one);
    }

    private static JobRun longer(JobRun run) {
        var job = run.job();
        return new JobRun(
                new QueuedJob(job.number(), job.submit(), job.pes(), job.estimate() + 1, job.runTime() + 1),
                run.ended());
    }

    private static SimulatedBooking later(SimulatedBooking booking) {
        return new SimulatedBooking(booking.request().shiftedBy(1), booking.backlog(), booking.granted());
    }
}
