package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageId;
import static berth.scheduling.LiveCluster.outageOf;
import static berth.scheduling.Request.id;
import static berth.scheduling.Request.usd;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.ReplaceLostPes;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reservations that have not begun keep their places in outages that may be over by then: eight PEs, some out of service for now. */
class AwaitedPesTest {

    private static LiveCluster of(Binding binding) {
        return LiveCluster.of(
                SampleCluster.of(8).bound(binding).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
    }

    /** Reserves PEs for 100 seconds from 500 on, without freedom. */
    private static void book(LiveCluster cluster, int number, int pes) {
        cluster.grant(Request.of(number, pes, 100).start(500));
    }

    private static List<Event.Type> types(List<Event> events) {
        return events.stream().map(Event::type).toList();
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void anOutageWithoutAnEndFailsNoReservationBeforeItsStart(Binding binding) {
        var cluster = of(binding);
        book(cluster, 1, 8);

        var events = cluster.at(10).happens(outageOf(1, "3"));

        assertThat(types(events)).containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);
        assertThat(cluster.latest(1).awaitsPes()).isTrue();
        assertThat(cluster.latest(1).placement().losses().lacks())
                .singleElement()
                .satisfies(lack -> {
                    assertThat(lack.slot()).isEqualTo(new Slot(500, 600));
                    assertThat(lack.pes()).isOne();
                });
        assertThat(types(cluster.at(70).happens(new EndOutage(outageId(1)))))
                .containsExactly(Event.Type.OUTAGE_ENDED, Event.Type.RESTORED);
        assertThat(cluster.latest(1).awaitsPes()).isFalse();
        cluster.at(500).advance();
        assertThat(cluster.latest(1).placement().pesNow().size()).isEqualTo(8);
        cluster.at(600).advance();
        assertThat(cluster.latest(1).price()).isEqualTo(usd("8.00"));
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void aReservationFailsAtItsStartIfItStillLacksPes(Binding binding) {
        var cluster = of(binding);
        book(cluster, 1, 8);
        cluster.at(10).happens(outageOf(1, "3"));

        assertThat(types(cluster.at(500).advance())).containsExactly(Event.Type.FAILED);

        assertThat(cluster.latest(1).price().amount()).isZero();
        assertThat(cluster.latest(1).charge().credit()).isPresent();
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void anOutageThatLastsUntilThenFailsAReservationAtOnce(Binding binding) {
        var cluster = of(binding);
        book(cluster, 1, 8);

        assertThat(types(cluster.at(10).happens(outage(1, 1, 400, 510))))
                .containsExactly(Event.Type.FAILED, Event.Type.OUTAGE_RECORDED);
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void aReservationGetsThePesThatAnotherGivesUp(Binding binding) {
        var cluster = of(binding);
        book(cluster, 1, 4);
        book(cluster, 2, 4);
        cluster.at(10).happens(outageOf(1, "3"));
        var lacking = cluster.latest(1).awaitsPes() ? 1 : 2;

        cluster.happens(new Cancel(Request.target(3 - lacking)));

        assertThat(types(cluster.happens(new ReplaceLostPes()))).hasSize(1);
        assertThat(cluster.latest(lacking).awaitsPes()).isFalse();
        assertThat(cluster.latest(lacking).slot()).isEqualTo(new Slot(500, 600));
    }

    @Test
    void aReservationWhosePesAreLostGetsOthersAtItsTime() {
        var cluster = of(Binding.EARLY);
        book(cluster, 1, 2);
        long fixesAt = cluster.latest(1).placement().fixesAt();

        assertThat(types(cluster.at(10).happens(outageOf(1, "1"))))
                .containsExactly(Event.Type.MOVED, Event.Type.OUTAGE_RECORDED);

        assertThat(cluster.peIds(1)).isEqualTo("0,2");
        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(500, 600));
        assertThat(cluster.latest(1).placement().fixesAt()).isEqualTo(fixesAt);
        assertThat(cluster.latest(1).price()).isEqualTo(usd("2.00"));
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void reservationsThatCanMoveMakeWay(Binding binding) {
        var cluster = of(binding);
        cluster.grant(Request.of(2, 4, 100).ready(500).start(500).deadline(900));
        book(cluster, 1, 4);

        cluster.at(10).happens(outageOf(1, "7"));

        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(500, 600));
        assertThat(cluster.latest(1).awaitsPes()).isFalse();
        assertThat(cluster.latest(2).slot().start()).isGreaterThanOrEqualTo(600);
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void aReservationThatFindsNoPlaceInItsWindowKeepsItsOwn(Binding binding) {
        var cluster = of(binding);
        cluster.grant(Request.of(1, 8, 100).ready(500).start(500).deadline(900));

        cluster.at(10).happens(outageOf(1, "3"));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(cluster.latest(1).isMovable(10)).isFalse();
        cluster.happens(new EndOutage(outageId(1)));
        assertThat(cluster.latest(1).isMovable(10)).isTrue();
        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(500, 600));
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void noOtherRequestGetsPesThatAreOutOfService(Binding binding) {
        var cluster = of(binding);
        book(cluster, 1, 7);
        cluster.at(10).happens(outageOf(1, "3"));

        cluster.refuse(Request.of(2, 1, 100).start(500));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void batchJobsGiveWayOnlyAtTheStart() {
        var cluster = of(Binding.EARLY);
        book(cluster, 1, 4);
        var job = new JobId(new UUID(2, 1));
        cluster.happens(
                new SubmitJob(job, Request.of(9, 1, 1).reserve().origin().owner(), Optional.empty(), 4, 900));
        cluster.happens(new StartJobs());

        assertThat(types(cluster.at(10).happens(outageOf(1, "0"))))
                .containsExactly(Event.Type.LOSING, Event.Type.OUTAGE_RECORDED);

        assertThat(types(cluster.at(500).advance()))
                .containsExactly(Event.Type.JOB_REQUEUED, Event.Type.MOVED, Event.Type.STARTED);
        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(500, 600));
    }

    @Test
    void aReservationIsShownOnThePesThatItHas() {
        var cluster = of(Binding.EARLY);
        book(cluster, 1, 8);
        cluster.at(10).happens(outageOf(1, "0,7"));

        assertThat(cluster.latest(1).occupied())
                .extracting(part -> part.peIds().orElseThrow())
                .containsExactly(PeSet.range(1, 7));
        assertThat(cluster.latest(1).placement().hasSomeOf(0)).isTrue();

        cluster.happens(outageOf(2, "1-6"));
        assertThat(cluster.latest(1).placement().hasSomeOf(0)).isFalse();
    }

    @Test
    void anOwnerWhoCancelsOwesNothing() {
        var cluster = LiveCluster.of(SampleCluster.of(8).tariff(BillingTest.late()));
        book(cluster, 1, 8);
        cluster.at(10).happens(outageOf(1, "3"));

        cluster.at(450).happens(new Cancel(Request.target(1)));

        assertThat(cluster.latest(1).price().amount()).isZero();
    }

    @Test
    void anOwnerWhoNeedsFewerPesHasAllOfThem() {
        var cluster = of(Binding.EARLY);
        book(cluster, 1, 8);
        cluster.at(10).happens(outageOf(1, "7"));

        cluster.grant(Request.of(1, 7, 100).start(500).renegotiate());

        assertThat(cluster.peIds(1)).isEqualTo("0-6");
        assertThat(cluster.latest(1).awaitsPes()).isFalse();
        assertThat(cluster.find(id(1)).state()).isEqualTo(ReservationState.CONFIRMED);
    }
}
