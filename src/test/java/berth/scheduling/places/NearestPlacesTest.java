package berth.scheduling.places;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageOf;
import static berth.scheduling.Request.id;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.OutageId;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Eight PEs, all of which may be reserved up to second 1000. */
class NearestPlacesTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    private static Optional<Slot> nearestPlace(Reservation reservation) {
        return reservation.status().nearestPlace();
    }

    @ParameterizedTest
    @EnumSource(Binding.class)
    void aReservationThatLosesItsPesBeforeItsStartNamesTheNearestPlace(Binding binding) {
        var bound = LiveCluster.of(SampleCluster.of(8).bound(binding));
        bound.grant(Request.of(1, 8, 10).ready(60));
        bound.grant(Request.of(2, 1, 5).ready(102));

        bound.at(5).lose(outage(1, 1, 50, 100));

        assertThat(bound.latest(1).state()).isEqualTo(ReservationState.FAILED);
        assertThat(nearestPlace(bound.latest(1))).hasValue(new Slot(107, 117));
    }

    @Test
    void theNearestPlaceOfAnotherReservationTakesNone() {
        cluster.grant(Request.of(1, 8, 10).ready(60));
        cluster.grant(Request.of(2, 8, 10).ready(70));

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(nearestPlace(cluster.latest(1))).hasValue(new Slot(100, 110));
        assertThat(nearestPlace(cluster.latest(2))).hasValue(new Slot(100, 110));
    }

    @Test
    void theNearestPlaceLeavesRoomForThoseThatHaveMoved() {
        cluster.grant(Request.of(1, 8, 10).ready(60));
        cluster.grant(Request.of(2, 8, 10).ready(70).deadline(200));

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(cluster.find(id(2)).slot()).isEqualTo(new Slot(100, 110));
        assertThat(nearestPlace(cluster.latest(1))).hasValue(new Slot(110, 120));
    }

    @Test
    void aReservationThatStillLacksPesAtItsStartNamesAPlaceFromThenOn() {
        cluster.grant(Request.of(1, 8, 10).ready(60));
        cluster.grant(Request.of(2, 7, 10).ready(70));
        cluster.lose(outage(1, 1, 50));
        cluster.at(55)
                .happens(new RecordOutage(
                        new OutageId(new UUID(1, 2)),
                        2,
                        Optional.empty(),
                        OptionalLong.of(500),
                        OptionalLong.of(600),
                        Optional.empty()));
        assertThat(nearestPlace(cluster.find(id(1)))).isEmpty();

        cluster.at(60).advance();

        // an outage without an end leaves no place for eight PEs
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.FAILED);
        assertThat(nearestPlace(cluster.latest(1))).isEmpty();
    }

    @Test
    void aReservationThatFailsAtItsStartNamesAPlaceOnTheRemainingPes() {
        cluster.grant(Request.of(1, 4, 10).start(60));
        cluster.grant(Request.of(2, 4, 20).start(60));
        cluster.lose(outage(1, 4, 50));

        cluster.at(60).advance();

        var failed = cluster.latest(1).state() == ReservationState.FAILED ? cluster.latest(1) : cluster.latest(2);
        long other = failed.id().equals(id(1)) ? 20 : 10;
        assertThat(nearestPlace(failed))
                .hasValue(Slot.of(60 + other, failed.slot().duration()));
    }

    @Test
    void aClusterThatBecomesSmallerNamesNoPlaceThatNeverFits() {
        cluster.grant(Request.of(1, 8, 10).ready(60));
        cluster.grant(Request.of(2, 4, 10).ready(80));
        cluster.grant(Request.of(3, 3, 10).ready(80));

        cluster.change(SampleCluster.of(4));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.FAILED);
        assertThat(nearestPlace(cluster.latest(1))).isEmpty();
        assertThat(cluster.latest(3).state()).isEqualTo(ReservationState.FAILED);
        assertThat(nearestPlace(cluster.latest(3))).hasValue(new Slot(90, 100));
    }

    @Test
    void aReportOfSeveralOutagesNamesPlacesAfterAllOfThem() {
        cluster.grant(Request.of(1, 8, 10).ready(60));

        cluster.happens(new ReplaceOutages("monitor", List.of(told(1, "0", 100), told(2, "1", 200))));

        assertThat(nearestPlace(cluster.latest(1))).hasValue(new Slot(200, 210));
    }

    private static ToldOutage told(int number, String peIds, long to) {
        return new ToldOutage(
                new OutageId(new UUID(1, number)),
                PeSet.parse(peIds),
                OptionalLong.empty(),
                OptionalLong.of(to),
                Optional.empty());
    }

    @Test
    void aRunThatHasLostAllItsPesNamesNoPlace() {
        cluster.grant(Request.of(1, 8, 10).start(20));
        cluster.at(20).advance();

        cluster.at(25).happens(outageOf(1, "0-7"));

        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.FAILED);
        assertThat(nearestPlace(cluster.latest(1))).isEmpty();
    }

    @Test
    void aClosedClusterNamesNoPlace() {
        cluster.grant(Request.of(1, 8, 10).ready(60));
        cluster.change(SampleCluster.of(8).closed());

        cluster.lose(outage(1, 1, 50, 100));

        assertThat(nearestPlace(cluster.latest(1))).isEmpty();
    }

    @Test
    void anOutageNamesPlacesForTwentyReservationsAtMost() {
        for (int number = 1; number <= 25; number++) {
            cluster.grant(Request.of(number, 8, 10).ready(100 + 10L * number));
        }

        cluster.lose(outage(1, 1, 50, 400));

        var failed = IntStream.rangeClosed(1, 25).mapToObj(cluster::latest).toList();
        assertThat(failed).extracting(Reservation::state).containsOnly(ReservationState.FAILED);
        assertThat(failed.subList(0, NearestPlaces.MAX_PLACES))
                .extracting(NearestPlacesTest::nearestPlace)
                .containsOnly(Optional.of(new Slot(400, 410)));
        assertThat(failed.subList(NearestPlaces.MAX_PLACES, failed.size()))
                .extracting(NearestPlacesTest::nearestPlace)
                .containsOnly(Optional.empty());
    }
}
