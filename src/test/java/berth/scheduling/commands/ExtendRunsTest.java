package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Allowance;
import berth.scheduling.Basis;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.sla.AccountLimits;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A run of ten seconds that is extended automatically by five seconds at a time. */
class ExtendRunsTest {

    private static final Request RUN = Request.of(1, 8, 10).autoExtend(5, 23);

    private final LiveCluster cluster = LiveCluster.of(8);

    private List<ReservationEvent> extendRuns(long now, Allowance allowance) {
        return cluster.at(now).happens(new ExtendRuns(), allowance).stream()
                .map(ReservationEvent.class::cast)
                .toList();
    }

    private List<ReservationEvent> extendRuns(long now) {
        return extendRuns(now, Allowance.UNLIMITED);
    }

    private Reservation begins(Request request) {
        cluster.grant(request);
        cluster.advance();
        return cluster.latest(1);
    }

    @Test
    void aRunIsExtendedAStepBeforeItsEndUntilTheAgreedEnd() {
        var run = begins(RUN);

        assertThat(extendRuns(4)).isEmpty();
        assertThat(extendRuns(5))
                .extracting(ReservationEvent::type, event -> event.reservation().slot())
                .containsExactly(tuple(Event.Type.EXTENDED, new Slot(0, 15)));
        assertThat(extendRuns(5)).isEmpty();
        assertThat(extendRuns(12))
                .extracting(event -> event.reservation().slot())
                .containsExactly(new Slot(0, 20));
        assertThat(extendRuns(19))
                .extracting(event -> event.reservation().slot())
                .containsExactly(new Slot(0, 23));
        assertThat(extendRuns(22)).isEmpty();
        assertThat(cluster.latest(1).price().exceeds(run.price())).isTrue();
        assertThat(cluster.at(23).advance())
                .extracting(Event::type, Event::at)
                .containsExactly(tuple(Event.Type.COMPLETED, 23L));
    }

    @Test
    void aRunEndsIfOthersHaveTheRoom() {
        begins(RUN);
        var next = cluster.grant(Request.of(2, 1, 5).ready(10).deadline(100));

        var refused = extendRuns(5);

        assertThat(refused)
                .extracting(ReservationEvent::type, ReservationEvent::refused)
                .containsExactly(tuple(Event.Type.NOT_EXTENDED, Optional.of(RefusalCode.NO_SLOT)));
        assertThat(cluster.latest(1).terms().autoExtension()).isEmpty();
        assertThat(cluster.latest(1).slot()).isEqualTo(new Slot(0, 10));
        assertThat(cluster.latest(2).slot()).as("nobody is moved for it").isEqualTo(next.slot());
        assertThat(extendRuns(6)).as("for good").isEmpty();
    }

    @Test
    void aRunEndsAtItsBudgetOrALimit() {
        begins(RUN.budget("0.80"));
        assertThat(extendRuns(5))
                .extracting(ReservationEvent::refused)
                .containsExactly(Optional.of(RefusalCode.OVER_BUDGET));

        var other = LiveCluster.of(8);
        other.grant(RUN);
        other.advance();
        var limit = new Allowance(
                new AccountLimits(OptionalInt.empty(), OptionalInt.of(7), OptionalLong.empty()), List.of());
        assertThat(other.at(5).happens(new ExtendRuns(), limit))
                .extracting(event -> ((ReservationEvent) event).refused())
                .containsExactly(Optional.of(RefusalCode.LIMIT_EXCEEDED));
    }

    @Test
    void waitsWhileOthersBookForItsAccount() {
        begins(RUN);

        assertThat(new ExtendRuns()
                        .decide(new Basis(cluster.schedule(), 5, _ -> Optional.empty(), _ -> 0))
                        .events())
                .isEmpty();
        assertThat(extendRuns(6)).extracting(ReservationEvent::type).containsExactly(Event.Type.EXTENDED);
    }

    @Test
    void mustBeClaimedFirst() {
        var late = LiveCluster.of(SampleCluster.of(8).claimWithin(9));
        late.grant(RUN);
        late.advance();
        var extend = new ExtendRuns();

        assertThat(late.at(8).happens(extend)).isEmpty();
        late.grant(new Claim(Request.target(1)));
        assertThat(late.happens(extend)).extracting(Event::type).containsExactly(Event.Type.EXTENDED);
    }

    @Test
    void aRenegotiationTurnsAutomaticExtensionOnAndOff() {
        begins(Request.of(1, 8, 10));
        assertThat(extendRuns(5)).isEmpty();

        cluster.grant(Request.like(cluster.latest(1)).autoExtend(5, 100).renegotiate());
        assertThat(extendRuns(6)).extracting(Event::type).containsExactly(Event.Type.EXTENDED);
        cluster.grant(Request.like(cluster.latest(1)).autoExtend(5, 15).renegotiate());
        assertThat(extendRuns(14)).isEmpty();
        assertThat(cluster.latest(1).state()).isEqualTo(ReservationState.RUNNING);
    }

    @Test
    void doesNotGoOnUntilAnInstantThatHasPassed() {
        assertThat(cluster.at(30).refuse(RUN.reserve()))
                .isEqualTo(Rejection.InvalidTerms.of(
                        "autoExtend.until", "lies in the past; choose a later one, or leave it out"));
    }
}
