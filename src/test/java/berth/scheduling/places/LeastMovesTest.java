package berth.scheduling.places;

import static berth.scheduling.Request.id;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.cluster.Reshaping;
import berth.outcome.Outcome;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Fix;
import berth.sla.Moldability;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Speedup;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Only reservations in the way move. */
class LeastMovesTest {

    private static final int ROW = 2_500;

    private static SampleCluster sample(int pes, Juggling juggling) {
        return SampleCluster.of(pes).juggling(juggling, ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    private static LiveCluster cluster(int pes) {
        return LiveCluster.of(sample(pes, Juggling.LEAST_MOVES));
    }

    /** Returns a cluster with consecutive runs of ten seconds that can all lie before {@code deadline}. */
    private static LiveCluster row(SampleCluster sample, int length, long deadline) {
        var cluster = LiveCluster.of(sample);
        for (int number = 1; number <= length; number++) {
            cluster.grant(Request.of(number, 4, 10).ready(10).deadline(deadline));
        }
        return cluster;
    }

    private static List<Event> oneAtTheFront(LiveCluster row) {
        return row.happens(Request.of(0, 4, 10).ready(10).deadline(20).reserve());
    }

    private static List<ReservationId> moved(List<Event> events) {
        return events.stream()
                .filter(event -> event.type() == Event.Type.MOVED)
                .map(event -> ((ReservationEvent) event).reservation().id())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"ON_CONFLICT, 2500", "LEAST_MOVES, 1"})
    void onlyTheFirstReservationOfALongRowMovesToTheEnd(Juggling juggling, int moves) {
        long deadline = 10L * ROW + 1_000;
        var cluster = row(sample(4, juggling).horizon(deadline), ROW, deadline);

        assertThat(moved(oneAtTheFront(cluster))).hasSize(moves);
        assertThat(cluster.slot(0)).isEqualTo(new Slot(10, 20));
        if (moves == 1) {
            assertThat(cluster.slot(1)).isEqualTo(new Slot(10 + 10L * ROW, 20 + 10L * ROW));
        }
    }

    @Test
    void reservationsInTheWayOfAMovedOneMoveToo() {
        var cluster = cluster(4);
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(30));
        cluster.grant(Request.of(2, 4, 10).ready(20).deadline(40));
        cluster.grant(Request.of(3, 4, 10).ready(30).deadline(50));

        assertThat(moved(oneAtTheFront(cluster))).containsExactly(id(1), id(2), id(3));
        assertThat(cluster.slot(3)).isEqualTo(new Slot(40, 50));
    }

    @Test
    void algorithm1ShiftsALongRow() {
        var cluster = cluster(4);
        for (int number = 1; number <= 9; number++) {
            cluster.grant(Request.of(number, 4, 10).ready(10L * number).deadline(10L * number + 20));
        }

        assertThat(moved(oneAtTheFront(cluster))).hasSize(9);
    }

    @Test
    void thePlaceThatNeedsTheFewestMovesIsTaken() {
        var cluster = cluster(4);
        cluster.grant(Request.of(1, 2, 10).ready(10).deadline(100));
        cluster.grant(Request.of(2, 2, 10).ready(10).deadline(100));
        cluster.grant(Request.of(3, 4, 10).ready(20).deadline(100));

        // at 10 two would have to move, at 20 only one
        var events = cluster.happens(Request.of(4, 4, 10).ready(10).deadline(30).reserve());

        assertThat(moved(events)).containsExactly(id(3));
        assertThat(cluster.slot(4)).isEqualTo(new Slot(20, 30));
    }

    @Test
    void oneLargeRunMovesRatherThanManySmallOnes() {
        var cluster = cluster(6);
        cluster.grant(Request.of(1, 3, 10).ready(10).deadline(90));
        for (int number = 2; number <= 4; number++) {
            cluster.grant(Request.of(number, 1, 10).ready(10).deadline(100));
        }

        var events = cluster.happens(Request.of(5, 3, 10).ready(10).deadline(20).reserve());

        assertThat(moved(events)).containsExactly(id(1));
    }

    @Test
    void immovableReservationsStay() {
        var cluster = cluster(4);
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(20));
        cluster.grant(Request.of(2, 1, 10).ready(10).deadline(90).hold(5));
        cluster.grant(Request.of(3, 1, 10).ready(10).deadline(90));
        cluster.grant(new Fix(Request.target(3), Fix.Wish.OWNERS));
        cluster.grant(Request.of(4, 1, 10).ready(10).deadline(90));

        assertThat(cluster.refuse(Request.of(5, 2, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
        assertThat(moved(cluster.happens(
                        Request.of(6, 1, 10).ready(10).deadline(20).reserve())))
                .containsExactly(id(4));
    }

    /** The first returns, and there is no room for the second, which gets its place again when the first makes way in turn. */
    @Test
    void aReservationThatReturnsToItsPlaceDoesNotCountAsMoved() {
        var cluster = LiveCluster.of(SampleCluster.of(2).juggling(Juggling.LEAST_MOVES, ReplanOrder.FIFO));
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(40));
        cluster.at(1).grant(Request.of(2, 1, 10).ready(10).deadline(21));

        var events = cluster.happens(Request.of(3, 1, 10).ready(10).deadline(20).reserve());

        assertThat(moved(events)).containsExactly(id(1));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(10, 20));
    }

    @Test
    void aMoveKeepsTheNoticeOfTheClusterAndOfTheOwner() {
        var cluster = LiveCluster.of(sample(4, Juggling.LEAST_MOVES).notice(15));
        cluster.grant(Request.of(1, 2, 10).start(60).deadline(200));
        cluster.grant(Request.of(2, 2, 10).start(60).deadline(200).fixBefore(45));

        var events = cluster.at(10)
                .happens(Request.of(3, 4, 10).ready(60).deadline(70).reserve());

        assertThat(moved(events)).containsExactly(id(1), id(2));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(25, 35));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(70, 80));
    }

    @Test
    void movesKeepTheReservableShare() {
        var cluster = LiveCluster.of(sample(4, Juggling.LEAST_MOVES).reservableShare("0.5"));
        cluster.grant(Request.of(1, 2, 10).ready(10).deadline(40));

        var events = cluster.happens(Request.of(2, 2, 10).ready(10).deadline(20).reserve());

        assertThat(moved(events)).containsExactly(id(1));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(20, 30));
    }

    /** PE 0 is free from 10 to 20 and PE 1 from 20 to 30; a PE is free for 20 seconds only if the second run moves to PE 0. */
    @Test
    void withEarlyBindingAReservationMayMoveToOtherPes() {
        var cluster = LiveCluster.of(sample(2, Juggling.LEAST_MOVES).bound(Binding.EARLY));
        cluster.grant(Request.of(1, 1, 10).ready(10).deadline(20));
        cluster.grant(Request.of(2, 1, 10).ready(10).deadline(20));
        cluster.grant(Request.of(3, 1, 10).ready(20).deadline(30));
        cluster.grant(new Cancel(Request.target(1)));

        var events = cluster.happens(Request.of(4, 1, 20).ready(10).deadline(30).reserve());

        assertThat(moved(events)).hasSize(1);
        assertThat(cluster.slot(4)).isEqualTo(new Slot(10, 30));
    }

    @Test
    void aRenegotiationMovesOnlyReservationsInItsWay() {
        var cluster = row(sample(4, Juggling.LEAST_MOVES), 5, 200);
        var changed = Request.like(cluster.find(id(5))).ready(10).deadline(20);

        assertThat(moved(cluster.happens(changed.renegotiate()))).containsExactly(id(1));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(50, 60));
    }

    @Test
    void aLossOfPesMovesOnlyReservationsInTheWay() {
        var cluster = row(sample(4, Juggling.LEAST_MOVES), 5, 200);
        cluster.grant(Request.of(6, 4, 10).ready(60).deadline(80));
        cluster.grant(Request.of(7, 4, 10).ready(70).deadline(200));

        var outage = cluster.lose(LiveCluster.outage(1, 1, 60, 70));

        assertThat(outage.failed()).isEmpty();
        assertThat(outage.moved()).containsExactlyInAnyOrder(id(6), id(7));
        assertThat(cluster.slot(6)).isEqualTo(new Slot(70, 80));
        assertThat(cluster.slot(7)).isEqualTo(new Slot(80, 90));
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_CONFLICT", "ALWAYS"})
    void aMoveBeyondTheLimitCountsAsNoPlace(Juggling juggling) {
        var shifted = row(sample(4, juggling).movingAtMost(5), 5, 200);
        assertThat(moved(oneAtTheFront(shifted))).hasSize(5);

        var tooMany = row(sample(4, juggling).movingAtMost(5), 8, 200);
        assertThat(tooMany.refuse(Request.of(0, 4, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
        // behind the sixth, which would be one move too many
        var events = tooMany.happens(Request.of(0, 4, 10).ready(10).deadline(80).reserve());
        assertThat(tooMany.slot(0)).isEqualTo(new Slot(70, 80));
        assertThat(moved(events)).containsExactly(id(7), id(8));
    }

    @Test
    void aPlaceThatNeedsTooManyMovesIsNotTaken() {
        var cluster = LiveCluster.of(sample(4, Juggling.LEAST_MOVES).movingAtMost(2));
        cluster.grant(Request.of(1, 4, 10).ready(10).deadline(30));
        cluster.grant(Request.of(2, 4, 10).ready(20).deadline(40));
        cluster.grant(Request.of(3, 4, 10).ready(30).deadline(50));

        assertThat(cluster.refuse(Request.of(0, 4, 10).ready(10).deadline(20))).isEqualTo(new Rejection.NoSlot());
    }

    /** Checks each admission of runs with several shapes and parts, for which there is no oracle by the second. */
    @ParameterizedTest
    @EnumSource(Binding.class)
    void everyRequestThatAlgorithm1AdmitsIsAdmittedWithinAllTerms(Binding binding) {
        int moves = 0;
        int fewer = 0;
        for (int seed = 0; seed < 30; seed++) {
            var random = new Random(seed);
            var policy = PlacementPolicy.values()[seed % 3 == 0 ? random.nextInt(PlacementPolicy.values().length) : 0];
            var cluster = LiveCluster.of(sample(8, Juggling.LEAST_MOVES)
                    .bound(binding)
                    .placement(policy)
                    .notice(random.nextInt(10))
                    .reshaping(Reshaping.values()[random.nextInt(2)]));
            for (int number = 1; number <= 60; number++) {
                var request = request(random, number);
                var shifted = shifted(cluster, request);
                var events = cluster.tries(request.reserve());
                if (events.isEmpty()) {
                    assertThat(shifted).isEmpty();
                }
                for (var id : moved(events)) {
                    var now = cluster.find(id);
                    assertThat(now.terms().window().contains(now.slot())).isTrue();
                    assertThat(now.slot().start())
                            .isGreaterThanOrEqualTo(
                                    cluster.schedule().cluster().policy().notice());
                }
                moves += moved(events).size();
                fewer += shifted.isPresent()
                                && moved(events).size() < shifted.get().moves().size()
                        ? 1
                        : 0;
            }
        }
        assertThat(moves).isGreaterThan(100);
        assertThat(fewer).isGreaterThan(20);
    }

    private static Optional<JugglingResult.Found> shifted(LiveCluster cluster, Request request) {
        var opening = PlaceSearch.open(cluster.schedule(), request.terms(), Request.ADA, 0);
        if (!(opening instanceof Outcome.Done(var search))) {
            return Optional.empty();
        }
        var newcomer = new Newcomer(
                id(0),
                ServiceClass.STANDARD,
                search.terms(),
                0,
                free -> search.among(free).choose());
        return new PlainReplanAttempt(cluster.schedule(), newcomer, 0).admit();
    }

    private static Request request(Random random, int number) {
        int pes = 1 + random.nextInt(6);
        long ready = 10 + random.nextInt(80);
        long duration = 4 + random.nextInt(12);
        var request = Request.of(number, pes, duration)
                .ready(ready)
                .deadline(ready + duration + random.nextInt(3) * random.nextInt(40));
        var molded = random.nextInt(3) > 0
                ? request
                : request.moldable(
                        new Moldability.Function((pes + 1) / 2, pes, Speedup.LINEAR, Optional.empty(), AllowedPes.ANY));
        return random.nextInt(3) > 0 ? molded : molded.split(1 + random.nextInt(3), "0.25", random.nextBoolean());
    }
}
