package berth.scheduling;

import static berth.scheduling.Request.id;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Fix.Wish;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.Probe.Offers;
import berth.time.Slot;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replanning the waiting queue to make room for a newcomer: paper 000, section 3.2. */
class JugglingTest {

    private static LiveCluster cluster(int pes, Juggling juggling, ReplanOrder order) {
        return LiveCluster.of(SampleCluster.of(pes).juggling(juggling, order));
    }

    private static LiveCluster onConflict(int pes) {
        return cluster(pes, Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    @Test
    void aFlexibleReservationMakesRoomForAStrictRequest() {
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
    void aClusterThatNeverJugglesRejectsTheRequest() {
        var cluster = cluster(4, Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST);
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(40));

        assertThat(cluster.refuse(Request.of(2, 4, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void withoutMovesACrowdedRequestIsRejectedAndOthersAreGrantedAsUsual() {
        var cluster = onConflict(4);
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(40));
        var crowdedOut = Request.of(2, 4, 10).ready(10).deadline(20).reserve();
        var beside = Request.of(3, 4, 10).ready(10).deadline(30).reserve();

        assertThat(crowdedOut.decideAsOthersLie(new Basis(cluster.schedule(), 0)))
                .isEqualTo(new Decision.Rejected(new Rejection.NoSlot()));
        assertThat(beside.decideAsOthersLie(new Basis(cluster.schedule(), 0)))
                .isEqualTo(beside.decide(new Basis(cluster.schedule(), 0)));
    }

    @Test
    void fixedHeldAndRunningReservationsNeverMove() {
        var cluster = onConflict(3);
        cluster.grant(Request.of(1, 1, 30).deadline(90));
        cluster.grant(Request.of(2, 1, 20).ready(10).deadline(90).hold(5));
        cluster.grant(Request.of(3, 1, 20).ready(10).deadline(90));
        cluster.grant(new Fix(Request.target(3), Wish.OWNERS));
        cluster.advance();
        var before = List.copyOf(cluster.schedule().reservations());

        assertThat(cluster.refuse(Request.of(4, 1, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.schedule().reservations()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void noMoveBringsAStartNearerThanTheNoticeOfClusterOrOwner() {
        var sample = SampleCluster.of(2).notice(10).juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST);
        var cluster = LiveCluster.of(sample);
        cluster.grant(Request.of(1, 1, 10).start(100).deadline(200));
        cluster.grant(Request.of(2, 1, 10).start(100).deadline(200).fixBefore(40));

        cluster.at(20).happens(Request.of(3, 1, 1).ready(150).deadline(160).reserve());

        assertThat(cluster.slot(1)).isEqualTo(new Slot(30, 40));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(60, 70));
    }

    /**
     * One PE; 2 can only lie after 1, and 3 only after 2. The newcomer, first by its deadline, pushes 1 back, which leaves no room for 2.
     * At 2's index the newcomer would find no place if the queue had not been restored.
     */
    @Test
    void afterAFailureTheSearchGoesOnBehindTheReservationThatFailed() {
        var cluster = onConflict(1);
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(32));
        cluster.grant(Request.of(2, 1, 10).ready(20).deadline(33));
        cluster.grant(Request.of(3, 1, 10).ready(30).deadline(60));
        cluster.grant(Request.of(4, 1, 10).ready(40).deadline(70));

        // at first it takes 10 to 15 and 1 moves to 15, where 2 finds no ten seconds before 33; after 2 it takes 30
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
    void aReservationThatKeepsItsPlaceDoesNotChange(PlacementPolicy policy) {
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

        var answer = ((Outcome.Done<Offers, Rejection>) cluster.ask(request.probe(5))).value();

        assertThat(answer.offers()).extracting(Offer::slot).containsExactly(new Slot(10, 20));
        assertThat(answer.offers()).allMatch(Offer::chosen);
        assertThat(((Outcome.Done<Offers, Rejection>)
                                cluster.ask(request.deadline(40).probe(5)))
                        .value()
                        .offers())
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
    void theEventOfAMoveHasTheFormerPlace() {
        var cluster = onConflict(1);
        Reservation before = cluster.grant(Request.of(1, 1, 10).ready(10).deadline(40));

        var moved = (ReservationEvent)
                cluster.happens(Request.of(2, 1, 10).ready(10).deadline(20).reserve())
                        .getFirst();

        assertThat(moved.move().orElseThrow().from()).isEqualTo(before.parts());
        assertThat(moved.reservation().price().exceeds(before.price())).isFalse();
    }

    @Test
    void othersMakeRoomForAReservationThatLosesItsPes() {
        var cluster = onConflict(2);
        var loser = cluster.grant(Request.of(1, 2, 10).ready(50).deadline(70));
        var other = cluster.grant(Request.of(2, 1, 10).ready(60).deadline(80));

        var events = cluster.happens(LiveCluster.outage(1, 1, 50, 60));

        assertThat(cluster.slot(1)).isEqualTo(new Slot(60, 70));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(70, 80));
        assertThat(events.subList(0, 2))
                .extracting(event -> ((ReservationEvent) event).move().orElseThrow())
                .containsExactly(
                        new Event.Move(other.parts(), MoveReason.MADE_ROOM),
                        new Event.Move(loser.parts(), MoveReason.PES_LOST));
        assertThat(((OutageEvent) events.getLast()).outage().moved()).containsExactly(id(2), id(1));
    }

    @Test
    void aReservationThatLosesItsPesKeepsItsRequestedNoticeIfItCan() {
        var cluster = LiveCluster.of(SampleCluster.of(2));
        cluster.grant(Request.of(1, 2, 10).ready(40).deadline(90).fixBefore(45).start(50));
        cluster.grant(Request.of(2, 2, 10).ready(30).deadline(75).fixBefore(45).start(60));

        cluster.at(4).lose(LiveCluster.outage(1, 1, 50, 70));

        // from 49 on, not from 40
        assertThat(cluster.slot(1)).isEqualTo(new Slot(70, 80));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(30, 40));
    }

    /** Delta of paper 000, section 3.1, for a run with a later ready time and one that could start at once. */
    @Test
    void theSlackCountsFromTheReadyTimeOrFromNow() {
        var cluster = onConflict(4);
        var later = cluster.grant(Request.of(1, 1, 10).ready(30).deadline(55));
        var atOnce = cluster.grant(Request.of(2, 1, 10).ready(0).deadline(70));

        assertThat(slack(later, 20)).isEqualTo(55 - 30 - 10);
        assertThat(slack(atOnce, 20)).isEqualTo(70 - 20 - 10);
    }

    private static long slack(Reservation waiting, long now) {
        return rank(ReplanOrder.LEAST_FLEXIBLE_FIRST, waiting, now);
    }

    private static long rank(ReplanOrder order, Reservation waiting, long now) {
        return order.rank(waiting.id(), waiting.terms(), waiting.status().createdAt(), id(99), now);
    }

    @Test
    void eachOrderSortsTheQueueByItsOwnRule() {
        var cluster = onConflict(8);
        cluster.grant(Request.of(1, 2, 40).ready(40).deadline(200));
        cluster.at(1).grant(Request.of(2, 5, 20).ready(100).deadline(190));
        cluster.at(2).grant(Request.of(3, 1, 10).ready(180).deadline(196));
        cluster.at(3).grant(Request.of(4, 1, 78).ready(40).deadline(210));

        assertThat(inOrder(cluster, ReplanOrder.FIFO)).containsExactly(1, 2, 3, 4);
        assertThat(inOrder(cluster, ReplanOrder.BIGGEST_JOB_FIRST)).containsExactly(2, 1, 4, 3);
        assertThat(inOrder(cluster, ReplanOrder.LEAST_FLEXIBLE_FIRST)).containsExactly(3, 2, 4, 1);
        assertThat(inOrder(cluster, ReplanOrder.EARLIEST_DEADLINE_FIRST)).containsExactly(2, 3, 1, 4);
        assertThat(inOrder(cluster, ReplanOrder.MISSING_DEADLINE_FIRST)).containsExactly(4, 1, 2, 3);
    }

    private static List<Integer> inOrder(LiveCluster cluster, ReplanOrder order) {
        return cluster.schedule().reservations().stream()
                .sorted(Comparator.comparingLong(waiting -> rank(order, waiting, 3)))
                .map(waiting -> (int) waiting.id().value().getLeastSignificantBits())
                .toList();
    }

    @Test
    void theShuffleDependsOnTheNewcomerAlone() {
        var cluster = onConflict(8);
        var one = cluster.grant(Request.of(1, 1, 10).deadline(100));
        var other = cluster.grant(Request.of(2, 1, 10).deadline(100));
        var orders = new HashSet<Boolean>();
        for (int newcomer = 3; newcomer < 40; newcomer++) {
            long first = ReplanOrder.SHUFFLE.rank(one.id(), one.terms(), 0, id(newcomer), 0);
            long second = ReplanOrder.SHUFFLE.rank(other.id(), other.terms(), 0, id(newcomer), 0);
            assertThat(ReplanOrder.SHUFFLE.rank(one.id(), one.terms(), 0, id(newcomer), 7))
                    .isEqualTo(first);
            orders.add(first < second);
        }
        assertThat(orders).containsExactlyInAnyOrder(true, false);
    }

    /** At its last index the newcomer is placed beside the others in their present places. */
    @ParameterizedTest
    @EnumSource(ReplanOrder.class)
    void jugglingAlwaysNeverRejectsARequestThatFitsBesideTheOthers(ReplanOrder order) {
        var random = new Random(order.ordinal());
        var never =
                SampleCluster.of(6).horizon(400).juggling(Juggling.NEVER, order).cluster();
        var always = SampleCluster.of(6)
                .horizon(400)
                .juggling(Juggling.ALWAYS, order)
                .cluster();
        int admitted = 0;
        for (int round = 0; round < 30; round++) {
            var schedule = ClusterSchedule.empty(always);
            for (int number = 1; number <= 60; number++) {
                long duration = 5 + random.nextInt(30);
                long ready = 1 + random.nextInt(200);
                var asked = Request.of(number, 1 + random.nextInt(6), duration)
                        .ready(ready)
                        .deadline(ready + duration + random.nextLong(3 * duration))
                        .reserve();
                var rigid = ClusterSchedule.of(never, schedule.reservations(), List.of());
                var decision = asked.decide(new Basis(schedule, 0));
                if (asked.decide(new Basis(rigid, 0)) instanceof Decision.Accepted) {
                    assertThat(decision).isInstanceOf(Decision.Accepted.class);
                    admitted++;
                }
                schedule = decision instanceof Decision.Accepted(var _, var next) ? next : schedule;
            }
        }
        assertThat(admitted).isGreaterThan(100);
    }
}
