package berth.scheduling;

import static berth.scheduling.Request.id;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.Reservation;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Probe.Answer;
import berth.scheduling.Probe.Offer;
import berth.time.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Paper 000, section 3.2: the waiting queue is placed anew to let a newcomer in. */
class JugglingTest {

    private static LiveCluster cluster(int pes, Juggling juggling, ReplanOrder order) {
        return LiveCluster.of(SampleCluster.of(pes).juggling(juggling, order));
    }

    private static LiveCluster onConflict(int pes) {
        return cluster(pes, Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    @Test
    void whoeverCanWaitMakesRoomForOneThatCannot() {
        var cluster = onConflict(4);
        var flexible = cluster.grant(Request.of(1, 4, 10).ready(10).deadline(40));

        var events = cluster.happens(Request.of(2, 4, 10).ready(10).deadline(20).reserve());

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.MOVED, Event.Type.CONFIRMED);
        var moved = ((ReservationEvent) events.getFirst());
        assertThat(moved.reservation().id()).isEqualTo(id(1));
        assertThat(moved.move().orElseThrow()).isEqualTo(new Event.Move(flexible.parts(), MoveReason.MADE_ROOM));
        assertThat(moved.reservation().status().version()).isEqualTo(1);
        assertThat(cluster.slot(1)).isEqualTo(new Slot(20, 30));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(10, 20));
    }

    @Test
    void aClusterThatNeverJugglesRefusesIt() {
        var cluster = cluster(4, Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST);
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(40));

        assertThat(cluster.refuse(Request.of(2, 4, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void whoIsFixedHeldOrRunningNeverMoves() {
        var cluster = onConflict(3);
        cluster.grant(Request.of(1, 1, 30).deadline(90));
        cluster.grant(Request.of(2, 1, 20).ready(10).deadline(90).hold(5));
        cluster.grant(Request.of(3, 1, 20).ready(10).deadline(90));
        cluster.grant(new Fix(Request.target(3)));
        cluster.advance();
        var before = List.copyOf(cluster.schedule().reservations());

        assertThat(cluster.refuse(Request.of(4, 1, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.schedule().reservations()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void noMoveBringsAStartNearerThanTheNoticeOrWhatTheOwnerAskedFor() {
        var sample = SampleCluster.of(2).notice(10).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST);
        var cluster = LiveCluster.of(sample);
        cluster.grant(Request.of(1, 1, 10).start(100).deadline(200));
        cluster.grant(Request.of(2, 1, 10).start(100).deadline(200).fixBefore(40));

        cluster.at(20).happens(Request.of(3, 1, 1).ready(150).deadline(160).reserve());

        assertThat(cluster.slot(1)).isEqualTo(new Slot(30, 40));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(60, 70));
    }

    /**
     * One PE; 2 can only lie after 1, and 3 only after 2. The newcomer, first by its deadline, pushes 1 back, which leaves
     * no room for 2: at 2's index it would find none itself if the queue were not as it was before.
     */
    @Test
    void afterAFailureTheNewcomerGoesOnBehindTheOneThatFailed() {
        var cluster = onConflict(1);
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(32));
        cluster.grant(Request.of(2, 1, 10).ready(20).deadline(33));
        cluster.grant(Request.of(3, 1, 10).ready(30).deadline(60));
        cluster.grant(Request.of(4, 1, 10).ready(40).deadline(70));

        // first of all it takes 10 to 15 and 1 moves to 15, where 2 finds no ten seconds before 33; behind 2 it takes
        // 30
        var events = cluster.happens(Request.of(5, 1, 5).ready(10).deadline(35).reserve());

        assertThat(cluster.slot(5)).isEqualTo(new Slot(30, 35));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(10, 20));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(20, 30));
        assertThat(cluster.slot(3)).isEqualTo(new Slot(35, 45));
        assertThat(cluster.slot(4)).isEqualTo(new Slot(45, 55));
        assertThat(events)
                .extracting(event -> ((ReservationEvent) event).reservation().id())
                .containsExactly(id(3), id(4), id(5));
    }

    @ParameterizedTest
    @EnumSource(PlacementPolicy.class)
    void whoKeepsItsPlaceIsNotMoved(PlacementPolicy policy) {
        var cluster = LiveCluster.of(
                SampleCluster.of(2).placement(policy).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(20));
        var before = cluster.find(id(1));

        cluster.grant(Request.of(2, 1, 10).ready(10).deadline(20));

        assertThat(cluster.find(id(1))).isEqualTo(before);
    }

    @Test
    void wherePesAreBoundEarlyAMoveMayBeToOtherPes() {
        var cluster = LiveCluster.of(SampleCluster.of(2)
                .bound(Binding.EARLY)
                .juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(21));
        cluster.grant(Request.of(2, 1, 10).ready(10).deadline(22));
        cluster.grant(new Cancel(Request.target(1)));
        assertThat(cluster.peIds(2)).isEqualTo("1");

        cluster.happens(Request.of(3, 1, 5).ready(3).deadline(8).reserve());

        assertThat(cluster.slot(2)).isEqualTo(new Slot(10, 20));
        assertThat(cluster.peIds(2)).isEqualTo("0");
    }

    @Test
    void aProbeNamesThePlaceForWhichOthersWouldMove() {
        var cluster = onConflict(4);
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(40));
        var request = Request.of(2, 4, 10).ready(10).deadline(20);

        var answer = (Answer.Offers) cluster.ask(request.probe(5));

        assertThat(answer.offers()).extracting(Offer::slot).containsExactly(new Slot(10, 20));
        assertThat(answer.offers()).allMatch(Offer::chosen);
        assertThat(((Answer.Offers) cluster.ask(request.deadline(40).probe(5))).offers())
                .extracting(Offer::slot)
                .containsExactly(new Slot(20, 30));
    }

    @Test
    void aRenegotiationThatFindsNoRoomMovesOthers() {
        var cluster = onConflict(1);
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(40));
        cluster.grant(Request.of(2, 1, 10).ready(50).deadline(60));

        var events = cluster.happens(
                Request.like(cluster.find(id(2))).ready(10).deadline(20).renegotiate());

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.MOVED, Event.Type.RENEGOTIATED);
        assertThat(cluster.slot(1)).isEqualTo(new Slot(20, 30));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(10, 20));
    }

    @Test
    void theOwnerOfWhatHasMovedReadsFromWhere() {
        var cluster = onConflict(1);
        Reservation before = cluster.grant(Request.of(1, 1, 10).ready(10).deadline(40));

        var moved = (ReservationEvent)
                cluster.happens(Request.of(2, 1, 10).ready(10).deadline(20).reserve())
                        .getFirst();

        assertThat(moved.move().orElseThrow().from()).isEqualTo(before.parts());
        assertThat(moved.reservation().price().exceeds(before.price())).isFalse();
    }
}
