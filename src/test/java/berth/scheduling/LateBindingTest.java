package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.LiveCluster.outageOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import berth.availability.PeSet;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The PEs of a run on 8 PEs are chosen when it starts. */
class LateBindingTest {

    private final LiveCluster cluster = LiveCluster.of(8);

    private void run(int number, int pes, long start, long duration) {
        cluster.grant(Request.of(number, pes, duration).start(start));
    }

    private void advance(long second) {
        cluster.at(second).advance();
    }

    @Test
    void aRunIsBoundWhenItStarts() {
        run(1, 3, 10, 20);

        assertThat(cluster.peIds(1)).isEqualTo("none");
        advance(10);
        assertThat(cluster.peIds(1)).isEqualTo("0-2");
    }

    @Test
    void aRunGetsTheLowestFreePes() {
        run(1, 3, 0, 10);
        run(2, 2, 0, 20);
        run(3, 4, 10, 10);
        advance(0);
        assertThat(cluster.peIds(2)).isEqualTo("3-4");

        advance(10);

        assertThat(cluster.peIds(3)).isEqualTo("0-2,5");
    }

    @Test
    void aStartTakesNoMoreMemoryOnALargeCluster() {
        var large = LiveCluster.of(10_000_000);
        large.grant(Request.of(1, 1, 20).start(10));
        large.grant(Request.of(2, 1, 20).start(11));
        large.at(10).advance();
        var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        large.at(11).advance();

        // a bit for each PE would need more
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
        assertThat(large.peIds(2)).isEqualTo("1");
    }

    @Test
    void aRunKeepsItsPesToItsPostponedEnd() {
        run(1, 3, 0, 10);
        run(2, 2, 0, 20);
        advance(0);
        cluster.at(5)
                .grant(Request.like(cluster.find(Request.id(2)))
                        .noDeadline()
                        .duration(30)
                        .renegotiate());
        run(3, 6, 10, 10);
        advance(10);

        assertThat(cluster.peIds(2)).isEqualTo("3-4");
        assertThat(cluster.peIds(3)).isEqualTo("0-2,5-7");
        advance(30);
        assertThat(cluster.latest(2).placement().peIds()).contains(PeSet.of(3, 4));
    }

    @Test
    void anOutageWithoutNamedPesLeavesEnoughPesForEachRun() {
        run(1, 4, 0, 10);
        cluster.lose(outage(1, 4, 0, 100));
        advance(0);
        run(2, 4, 10, 10);
        advance(10);

        assertThat(cluster.peIds(2)).isEqualTo("0-3");
    }

    @Test
    void runsGetOtherPesForThoseThatAnOutageNames() {
        run(1, 3, 0, 10);
        run(2, 3, 0, 10);
        advance(0);

        var outage = cluster.at(5).lose(outageOf(1, "1,7"));

        assertThat(outage.failed()).isEmpty();
        assertThat(outage.moved()).isEmpty();
        assertThat(cluster.peIds(1)).isEqualTo("0,2,6");
        assertThat(cluster.peIds(2)).isEqualTo("3-5");
    }

    @Test
    void onlyTheNumberOfNamedPesDisplacesFutureReservations() {
        cluster.grant(Request.of(1, 4, 10).ready(20).atAnyTime().start(20));
        cluster.grant(Request.of(2, 4, 10).ready(20).deadline(40).start(20));

        var outage = cluster.lose(outageOf(1, "0", 0, 30));

        assertThat(outage.failed()).isEmpty();
        assertThat(outage.moved()).containsExactly(Request.id(1));
        assertThat(cluster.slot(1).start()).isEqualTo(30);
    }

    @Test
    void noRunStartsOnPesThatAnOutageNamesUntilItEnds() {
        cluster.lose(outageOf(1, "0,2-3", 0, 20));
        run(1, 2, 0, 100);
        run(2, 2, 20, 10);
        advance(0);
        assertThat(cluster.peIds(1)).isEqualTo("1,4");

        advance(20);

        assertThat(cluster.peIds(2)).isEqualTo("0,2");
    }

    @Test
    void anOutageWithoutNamedPesGetsNoPes() {
        assertThat(cluster.lose(outage(1, 3, 0, 10)).peIds()).isEmpty();
    }

    @Test
    void anOutageCannotNamePesAhead() {
        assertThat(cluster.refusedField(outageOf(1, "0-3", 1, 10))).isEqualTo("peIds");
        assertThat(cluster.at(60).lose(outageOf(1, "0-3", 1, 100)).from()).isEqualTo(60);
    }

    @Test
    void anOutageNamesOnlyPesThatThereAre() {
        cluster.lose(outageOf(1, "3"));

        assertThat(cluster.refusedField(outageOf(2, "8"))).isEqualTo("peIds");
        cluster.lose(outageOf(2, "2-4"));
        assertThat(cluster.schedule().profile().free(0)).isEqualTo(5);
    }

    @Test
    void anOutageWithoutNamedPesAvoidsPesOfOtherOutagesIfItCan() {
        cluster.lose(outage(1, 6, 0, 100));

        cluster.lose(outageOf(2, "0"));
        assertThat(cluster.schedule().profile().free(0)).isEqualTo(1);
        cluster.lose(outageOf(3, "0-2"));
        assertThat(cluster.schedule().profile().free(0)).isZero();
        assertThat(cluster.schedule().profile().free(100)).isEqualTo(5);
    }

    @Test
    void aRunOnPesThatTheClusterLosesGoesOnIfEnoughAreLeft() {
        run(1, 6, 0, 100);
        run(2, 2, 0, 50);
        advance(0);
        cluster.grant(new Cancel(Request.target(1)));

        cluster.change(SampleCluster.like(cluster.schedule().cluster()).pes(4));
        run(3, 2, 0, 20);
        advance(0);

        assertThat(cluster.peIds(2)).isEqualTo("6-7");
        assertThat(cluster.peIds(3)).isEqualTo("0-1");
        assertThat(cluster.schedule().profile().free(0)).isZero();
    }

    @Test
    void aRunOnLostPesKeepsThemWhenTheClusterGrowsAgain() {
        run(1, 6, 0, 100);
        run(2, 2, 0, 50);
        advance(0);
        cluster.grant(new Cancel(Request.target(1)));
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).pes(4));

        cluster.change(SampleCluster.like(cluster.schedule().cluster()).pes(9));
        run(3, 7, 0, 20);
        advance(0);

        assertThat(cluster.peIds(3)).isEqualTo("0-5,8");
    }

    @Test
    void anOutageOfPesThatTheClusterHasLostTakesNothing() {
        cluster.lose(outageOf(1, "2,6"));
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).pes(4));

        assertThat(cluster.schedule().profile().free(0)).isEqualTo(3);
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).pes(8));
        assertThat(cluster.schedule().profile().free(0)).isEqualTo(6);
    }

    @Test
    void aScheduleIsRebuiltWithThePesOfItsRuns() {
        run(1, 3, 0, 10);
        run(2, 2, 0, 20);
        advance(0);
        cluster.lose(outageOf(1, "6"));
        var live = cluster.schedule();

        var rebuilt = ClusterSchedule.of(live.cluster(), live.reservations(), live.outages());

        assertThat(rebuilt).isEqualTo(live);
        assertThat(rebuilt.free()).isEqualTo(live.free());
    }

    @Test
    void aScheduleRejectsTwoRunsOnOnePe() {
        run(1, 3, 0, 10);
        run(2, 2, 0, 20);
        advance(0);
        var first = cluster.find(Request.id(1));
        var second = onPes(cluster.find(Request.id(2)), PeSet.of(2, 3));

        assertThat(first.state()).isEqualTo(ReservationState.RUNNING);
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterSchedule.of(cluster.schedule().cluster(), List.of(first, second), List.of()))
                .withMessageContaining("finds no room");
    }

    /** Returns the same run on other PEs. */
    private static Reservation onPes(Reservation running, PeSet pes) {
        var place = running.placement();
        var there = new Placement(List.of(running.parts().getFirst().on(pes)), place.fixesAt(), place.turns());
        return new Reservation(
                running.id(),
                running.cluster(),
                running.origin(),
                running.terms(),
                there,
                running.charge(),
                running.status(),
                Optional.empty());
    }
}
