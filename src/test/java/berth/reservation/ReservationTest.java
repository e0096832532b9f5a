package berth.reservation;

import static berth.reservation.ReservationState.CANCELLED;
import static berth.reservation.ReservationState.COMPLETED;
import static berth.reservation.ReservationState.CONFIRMED;
import static berth.reservation.ReservationState.EXPIRED;
import static berth.reservation.ReservationState.FAILED;
import static berth.reservation.ReservationState.HELD;
import static berth.reservation.ReservationState.RUNNING;
import static berth.reservation.SampleReservations.CREDIT;
import static berth.reservation.SampleReservations.FIXES_AT;
import static berth.reservation.SampleReservations.PRICE;
import static berth.reservation.SampleReservations.SLOT;
import static berth.reservation.SampleReservations.accepted;
import static berth.reservation.SampleReservations.confirmed;
import static berth.reservation.SampleReservations.held;
import static berth.reservation.SampleReservations.id;
import static berth.reservation.SampleReservations.in;
import static berth.reservation.SampleReservations.running;
import static berth.reservation.SampleReservations.usd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.availability.PeSet;
import berth.reservation.AgendaItem.What;
import berth.reservation.Status.Flag;
import berth.sla.Part;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReservationTest {

    @Test
    void liesInsideItsWindow() {
        var reservation = confirmed();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> placed(reservation, new Slot(61, 101)))
                .withMessageContaining("which its terms do not allow");
        assertThatIllegalArgumentException().isThrownBy(() -> placed(reservation, new Slot(50, 89)));
        assertThat(placed(reservation, new Slot(60, 100)).slot()).isEqualTo(new Slot(60, 100));
    }

    @Test
    void keepsItsAgreementInEveryState() {
        var completed = in(COMPLETED);

        assertThat(completed)
                .usingRecursiveComparison()
                .ignoringFields("status", "placement.turns")
                .isEqualTo(confirmed());
        assertThat(completed.status()).isEqualTo(status(COMPLETED, 90, 2));
    }

    @Test
    void losesItsExpiryWhenItIsConfirmed() {
        assertThat(held().status())
                .isEqualTo(new Status(HELD, Optional.empty(), OptionalLong.of(40), OptionalLong.empty(), 10, 10, 0));
        assertThat(held().becomes(CONFIRMED, 30).status()).isEqualTo(status(CONFIRMED, 30, 1));
    }

    @Test
    void hasAnExpiryExactlyWhileItIsHeld() {
        assertThatIllegalArgumentException().isThrownBy(() -> status(HELD, 10, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Status(CONFIRMED, Optional.empty(), OptionalLong.of(40), OptionalLong.empty(), 10, 10, 0));
    }

    @Test
    void canOnlyBeUnclaimedUntilItEnds() {
        assertThat(new Status(RUNNING, Optional.empty(), OptionalLong.empty(), OptionalLong.of(60), 10, 50, 1))
                .isEqualTo(toClaimBy(60).becomes(RUNNING, 50).status());
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Status(COMPLETED, Optional.empty(), OptionalLong.empty(), OptionalLong.of(60), 10, 90, 2));
    }

    @Test
    void hasAReasonForItsEndOnlyOnceItHasEnded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Status(
                        RUNNING,
                        Optional.of(EndReason.PES_LOST),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        10,
                        50,
                        1));
    }

    @Test
    void owesNothingIfItEndsBeforeItBegan() {
        assertThat(held().becomes(EXPIRED, 40).price()).isEqualTo(PRICE.none());
        assertThat(held().becomes(CANCELLED, 30).price()).isEqualTo(PRICE.none());
        assertThat(confirmed().becomes(CANCELLED, 30).price()).isEqualTo(PRICE.none());
    }

    @Test
    void owesItsPriceWhileItIsLiveAndOnceItHasBegun() {
        assertThat(held().becomes(CONFIRMED, 30).price()).isEqualTo(PRICE);
        assertThat(running().price()).isEqualTo(PRICE);
        assertThat(running().becomes(COMPLETED, 90).price()).isEqualTo(PRICE);
        assertThat(running().becomes(CANCELLED, 51).price()).isEqualTo(PRICE);
        assertThat(running().becomes(CANCELLED, 50).price()).isEqualTo(PRICE);
    }

    @Test
    void mustBeClaimedInTimeIfTheClusterAsksForIt() {
        var unclaimed = toClaimBy(65).becomes(RUNNING, 50);

        assertThat(unclaimed.status().claimBy()).hasValue(65);
        assertThat(unclaimed.due()).hasValue(due(65, What.CLAIM_LAPSES));
        assertThat(running().status().claimBy()).isEmpty();
    }

    @Test
    void needsNoFurtherClaimOnceItIsClaimed() {
        var claimed = toClaimBy(65).becomes(RUNNING, 50).claimed(55);

        assertThat(claimed.status()).isEqualTo(status(RUNNING, 55, 2));
        assertThat(claimed.due()).hasValue(due(90, What.RUN_ENDS));
    }

    @Test
    void endsBeforeItsClaimLapsesIfItIsShort() {
        assertThat(toClaimBy(89).becomes(RUNNING, 50).due()).hasValue(due(89, What.CLAIM_LAPSES));
        assertThat(toClaimBy(90).becomes(RUNNING, 50).due()).hasValue(due(90, What.RUN_ENDS));
        assertThat(toClaimBy(3050).becomes(RUNNING, 50).due()).hasValue(due(90, What.RUN_ENDS));
    }

    @Test
    void owesItsPriceIfNobodyClaimedIt() {
        var released = toClaimBy(65).becomes(RUNNING, 50).released(65);

        assertThat(released.status())
                .isEqualTo(new Status(
                        CANCELLED,
                        Optional.of(EndReason.NOT_CLAIMED),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        10,
                        65,
                        2));
        assertThat(released.charge()).isEqualTo(Charge.of(PRICE));
        assertThat(released.occupied()).extracting(Part::slot).containsExactly(new Slot(50, 65));
    }

    @Test
    void owesNothingAndIsCreditedIfItFails() {
        assertThat(held().failed(EndReason.PES_LOST, CREDIT, 30).charge()).isEqualTo(Charge.of(PRICE.none()));
        for (var before : List.of(confirmed(), running())) {
            var failed = before.failed(EndReason.PES_LOST, CREDIT, 55);

            assertThat(failed.state()).isEqualTo(FAILED);
            assertThat(failed.status().reason()).hasValue(EndReason.PES_LOST);
            assertThat(failed.charge())
                    .isEqualTo(new Charge(PRICE.none(), Optional.of(CREDIT), Optional.empty(), Optional.empty()));
            assertThat(failed.status().version()).isEqualTo(before.status().version() + 1);
            assertThat(failed.due()).isEmpty();
        }
    }

    @Test
    void isMovedUntilItIsFixedAndOnlyWhileItWaits() {
        assertThat(confirmed().isMovable(FIXES_AT - 1)).isTrue();
        assertThat(confirmed().isMovable(FIXES_AT)).isFalse();
        assertThat(held().isMovable(20)).isFalse();
        assertThat(running().isMovable(20)).isFalse();
        assertThat(in(CANCELLED).isMovable(20)).isFalse();
    }

    @Test
    void canBeFixedBeforeItsTime() {
        var fixed = confirmed().fixed(confirmed().price(), 15);

        assertThat(fixed.placement()).isEqualTo(Placement.of(List.of(Part.whole(SLOT, 4)), 15));
        assertThat(fixed.isMovable(15)).isFalse();
        assertThat(fixed.status()).isEqualTo(status(CONFIRMED, 15, 1));
        assertThat(fixed.charge()).isEqualTo(confirmed().charge());
    }

    @Test
    void keepsThePesItIsBoundTo() {
        int pes = confirmed().terms().pes();
        var running = confirmed().begins(PeSet.range(3, 3 + pes), 0, 50);

        assertThat(running.placement().peIds()).contains(PeSet.range(3, 3 + pes));
        assertThat(running.status()).isEqualTo(running().status());
        assertThat(running.becomes(COMPLETED, 90).placement()).isEqualTo(running.placement());
    }

    @Test
    void isBoundOnlyToItsNumberOfPes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        confirmed().begins(PeSet.range(0, confirmed().terms().pes() + 1), 0, 50));
    }

    @Test
    void followsTheProviderToAnotherPlaceInItsWindow() {
        var moved = confirmed().moved(Placement.of(List.of(Part.whole(new Slot(60, 100), 4)), 55), usd("11.00"), 15);

        assertThat(moved.slot()).isEqualTo(new Slot(60, 100));
        assertThat(moved.price()).isEqualTo(usd("11.00"));
        assertThat(moved.due()).hasValue(due(60, What.RUN_STARTS));
        assertThat(moved.status()).isEqualTo(status(CONFIRMED, 15, 1).moved(new MoveHistory(1, Optional.of(SLOT))));
        assertThat(moved.status().flags()).containsExactly(Flag.MOVED);
        assertThat(moved.becomes(RUNNING, 60).claimed(70).status().flags()).containsExactly(Flag.MOVED);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        confirmed().moved(Placement.of(List.of(Part.whole(new Slot(61, 101), 4)), 55), PRICE, 15));
    }

    @Test
    void occupiesItsSlotUnlessItIsCancelled() {
        assertThat(held().occupied()).extracting(Part::slot).containsExactly(SLOT);
        assertThat(confirmed().occupied()).extracting(Part::slot).containsExactly(SLOT);
        assertThat(running().occupied()).extracting(Part::slot).containsExactly(SLOT);
        assertThat(in(COMPLETED).occupied()).extracting(Part::slot).containsExactly(SLOT);
    }

    @Test
    void occupiedItsSlotUntilItWasEnded() {
        assertThat(running().becomes(CANCELLED, 51).occupied())
                .extracting(Part::slot)
                .containsExactly(new Slot(50, 51));
        assertThat(running().becomes(CANCELLED, 90).occupied())
                .extracting(Part::slot)
                .containsExactly(SLOT);
        assertThat(running().becomes(CANCELLED, 95).occupied())
                .extracting(Part::slot)
                .containsExactly(SLOT);
        assertThat(running().becomes(COMPLETED, 60).occupied())
                .extracting(Part::slot)
                .containsExactly(new Slot(50, 60));
        assertThat(running().failed(EndReason.PES_LOST, CREDIT, 60).occupied())
                .extracting(Part::slot)
                .containsExactly(new Slot(50, 60));
    }

    @Test
    void occupiedNothingIfItNeverRan() {
        assertThat(confirmed().becomes(CANCELLED, 30).occupied()).isEmpty();
        assertThat(running().becomes(CANCELLED, 50).occupied()).isEmpty();
        assertThat(running().becomes(COMPLETED, 50).occupied()).isEmpty();
        assertThat(in(EXPIRED).occupied()).isEmpty();
        assertThat(in(FAILED).occupied()).isEmpty();
    }

    @Test
    void fallsDueAtItsExpiryItsStartAndItsEnd() {
        assertThat(held().due()).hasValue(due(40, What.HOLD_EXPIRES));
        assertThat(confirmed().due()).hasValue(due(50, What.RUN_STARTS));
        assertThat(running().due()).hasValue(due(90, What.RUN_ENDS));
    }

    @Test
    void isNeverDueAgainOnceItHasEnded() {
        assertThat(in(COMPLETED).due()).isEmpty();
        assertThat(in(CANCELLED).due()).isEmpty();
        assertThat(in(EXPIRED).due()).isEmpty();
        assertThat(in(FAILED).due()).isEmpty();
    }

    private static Reservation placed(Reservation reservation, Slot slot) {
        return new Reservation(
                reservation.id(),
                reservation.cluster(),
                reservation.origin(),
                reservation.terms(),
                Placement.of(List.of(Part.whole(slot, 4)), FIXES_AT),
                reservation.charge(),
                reservation.status(),
                Optional.empty());
    }

    /** Returns the status of a reservation that was accepted at 10. */
    private static Status status(ReservationState state, long updatedAt, int version) {
        return new Status(state, Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), 10, updatedAt, version);
    }

    private static AgendaItem due(long at, What what) {
        return new AgendaItem(at, what, id(1).value());
    }

    private static Reservation toClaimBy(long by) {
        return accepted(Status.confirmed(10).claimBy(OptionalLong.of(by)));
    }
}
