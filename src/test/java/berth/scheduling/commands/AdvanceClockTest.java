package berth.scheduling.commands;

import static berth.scheduling.Event.Type.COMPLETED;
import static berth.scheduling.Event.Type.EXPIRED;
import static berth.scheduling.Event.Type.STARTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.reservation.Reservation;
import berth.scheduling.Basis;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class AdvanceClockTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    @Test
    void startsAndEndsARunAtItsTimes() {
        cluster.grant(Request.of(1, 8, 10).start(20));

        assertThat(cluster.at(19).advance()).isEmpty();
        assertThat(told(cluster.at(20).advance())).containsExactly(tuple(20L, STARTED, 1));
        assertThat(cluster.at(29).advance()).isEmpty();
        assertThat(told(cluster.at(30).advance())).containsExactly(tuple(30L, COMPLETED, 1));
        assertThat(cluster.schedule()).isEqualTo(LiveCluster.of(8).schedule());
    }

    @Test
    void endsBeforeItStartsAtOneInstant() {
        cluster.grant(Request.of(9, 8, 10));
        cluster.grant(Request.of(1, 8, 10));
        assertThat(told(cluster.advance())).containsExactly(tuple(0L, STARTED, 9));

        assertThat(told(cluster.at(10).advance())).containsExactly(tuple(10L, COMPLETED, 9), tuple(10L, STARTED, 1));
    }

    @Test
    void letsHoldsExpireBeforeItStartsAtOneInstant() {
        cluster.grant(Request.of(9, 4, 10).start(10).hold(60));
        cluster.grant(Request.of(1, 4, 10).start(10));

        assertThat(told(cluster.at(10).advance())).containsExactly(tuple(10L, EXPIRED, 9), tuple(10L, STARTED, 1));
    }

    @Test
    void recordsMissedEventsAtTheirOwnTimes() {
        cluster.grant(Request.of(1, 8, 10));
        cluster.grant(Request.of(2, 8, 10).start(15));
        cluster.grant(Request.of(3, 8, 10).start(30).hold(12));
        cluster.grant(Request.of(4, 8, 10).start(90));

        var events = cluster.at(50).advance();

        assertThat(told(events))
                .containsExactly(
                        tuple(0L, STARTED, 1),
                        tuple(10L, COMPLETED, 1),
                        tuple(12L, EXPIRED, 3),
                        tuple(15L, STARTED, 2),
                        tuple(25L, COMPLETED, 2));
        assertThat(events)
                .allSatisfy(event ->
                        assertThat(reservation(event).status().updatedAt()).isEqualTo(event.at()));
        assertThat(cluster.schedule().reservations()).containsExactly(cluster.find(Request.id(4)));
    }

    @Test
    void decidesALimitedNumberOfStepsAndGoesOnWhereItStopped() {
        cluster.grant(Request.of(1, 4, 10));
        cluster.grant(Request.of(2, 4, 10));
        cluster.at(50);

        assertThat(told(cluster.advance(1))).containsExactly(tuple(0L, STARTED, 1));
        assertThat(told(cluster.advance(2))).containsExactly(tuple(0L, STARTED, 2), tuple(10L, COMPLETED, 1));
        assertThat(told(cluster.advance(2))).containsExactly(tuple(10L, COMPLETED, 2));
        assertThat(cluster.advance(2)).isEmpty();
    }

    @Test
    void changesNothingUntilItsDecisionIsApplied() {
        cluster.grant(Request.of(1, 8, 10));
        var before = cluster.schedule();

        new AdvanceClock(9).decide(new Basis(before, 50));

        assertThat(before.find(Request.id(1))).isPresent();
        assertThat(before.profile().free(0)).isZero();
        assertThat(before.nextDue().orElseThrow().at()).isZero();
    }

    private static List<Tuple> told(List<Event> events) {
        return events.stream()
                .map(event -> tuple(event.at(), event.type(), (int)
                        reservation(event).id().value().getLeastSignificantBits()))
                .toList();
    }

    private static Reservation reservation(Event event) {
        return ((ReservationEvent) event).reservation();
    }
}
