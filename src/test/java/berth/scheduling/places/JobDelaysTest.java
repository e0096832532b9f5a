package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.batch.JobDelay;
import berth.batch.JobDelay.Reason;
import berth.batch.JobId;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Ten PEs: the first job has all of them until 1000, and the others wait for them in order. */
class JobDelaysTest {

    private final LiveCluster cluster = LiveCluster.of(
            SampleCluster.of(10).horizon(100_000).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
    private ClusterSchedule before = cluster.schedule();

    JobDelaysTest() {
        submit(1, 10, 1_000);
        submit(2, 10, 500);
        submit(3, 10, 500);
        before = cluster.schedule();
    }

    private static JobId id(int number) {
        return new JobId(new UUID(7, number));
    }

    private void submit(int number, int pes, long estimate) {
        cluster.happens(new SubmitJob(id(number), new AccountName("ada"), Optional.empty(), pes, estimate));
        cluster.happens(new StartJobs());
    }

    private List<DelayEvent> delays(List<Event> happened) {
        var decision = new JobDelays(before, happened).decide(new Basis(cluster.schedule(), cluster.now()));
        assertThat(decision.next()).isSameAs(cluster.schedule());
        assertThat(cluster.schedule().with(decision.events())).isEqualTo(cluster.schedule());
        return decision.events().stream().map(DelayEvent.class::cast).toList();
    }

    @Test
    void aDelayEventHasTheOldAndTheNewStartOfAJob() {
        // the head keeps its place until 1500
        var happened = cluster.happens(Request.of(9, 10, 300).start(1_500).reserve());

        assertThat(delays(happened))
                .extracting(event -> event.job().id(), DelayEvent::delay, DelayEvent::at)
                .containsExactly(tuple(id(3), new JobDelay(1_500, OptionalLong.of(1_800), Reason.RESERVED), 0L));
    }

    @Test
    void aDelayOfLessThanAMinuteDoesNotCount() {
        assertThat(delays(cluster.happens(Request.of(9, 10, 59).start(1_500).reserve())))
                .isEmpty();
        assertThat(delays(cluster.happens(Request.of(8, 10, 1).start(1_559).reserve())))
                .hasSize(1);
    }

    @Test
    void aReservationAfterTheJobsDelaysNone() {
        assertThat(delays(cluster.happens(Request.of(9, 10, 300).start(2_000).reserve())))
                .isEmpty();
    }

    @Test
    void aReservationThatMovesIntoTheTimeOfAJobIsTheReason() {
        cluster.grant(Request.of(1, 10, 100).ready(2_000).deadline(4_000).start(3_000));
        before = cluster.schedule();
        var happened = new ArrayList<Event>();
        var moved = cluster.schedule().find(Request.id(1)).orElseThrow();
        happened.addAll(cluster.happens(new Cancel(Request.target(1))));
        happened.addAll(cluster.happens(Request.of(2, 10, 100).start(1_500).reserve()));

        assertThat(moved.slot().start()).isEqualTo(3_000);
        assertThat(delays(happened)).extracting(event -> event.delay().why()).containsExactly(Reason.RESERVED);
        assertThat(delays(List.of(new Event.ReservationEvent(Event.Type.MOVED, moved, 0))))
                .extracting(event -> event.delay().why())
                .containsExactly(Reason.MOVED);
        assertThat(delays(List.of(new Event.ReservationEvent(Event.Type.RENEGOTIATED, moved, 0))))
                .extracting(event -> event.delay().why())
                .containsExactly(Reason.RENEGOTIATED);
    }

    @Test
    void aDelayThatAnOutageMayHaveCausedIsNotReported() {
        var happened = new ArrayList<>(
                cluster.happens(Request.of(9, 10, 300).start(1_500).reserve()));
        happened.addAll(cluster.happens(LiveCluster.outage(1, 1, 5_000, 5_100)));

        assertThat(delays(happened)).isEmpty();
    }

    @Test
    void noDelayIsReportedWithoutAReservation() {
        assertThat(delays(List.of())).isEmpty();
    }

    @Test
    void aQueueThatIsTooLongForTheTurnOfADeskIsNotCompared() {
        for (int number = 4; number < JobDelays.MAX_WAITING + 2; number++) {
            submit(number, 10, 10);
        }
        before = cluster.schedule();
        var happened = cluster.happens(Request.of(9, 10, 300).start(1_500).reserve());
        assertThat(before.jobs().waiting()).hasSize(JobDelays.MAX_WAITING);
        assertThat(delays(happened)).isNotEmpty();

        submit(JobDelays.MAX_WAITING + 2, 10, 10);

        assertThat(delays(happened)).isEmpty();
    }

    @Test
    void onlyTheFirstHundredDelaysAtAnInstantAreReported() {
        for (int number = 4; number < 130; number++) {
            submit(number, 10, 100);
        }
        before = cluster.schedule();

        var told = delays(cluster.happens(Request.of(9, 10, 300).start(1_500).reserve()));

        assertThat(told).hasSize(JobDelays.MAX);
        assertThat(told.getFirst().job().id()).isEqualTo(id(3));
    }
}
