package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.budget.Dues;
import berth.cluster.Binding;
import berth.cluster.EnforcementRule;
import berth.reservation.Cause;
import berth.reservation.EndReason;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.scheduling.BillingTest;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two PEs from 100 to 200, on a cluster where a cancellation within 100 seconds of the start costs half. */
class ChangeUsersTest {

    private LiveCluster cluster = LiveCluster.of(of(EnforcementRule.REQUIRED));
    private final Money price = book();

    private static SampleCluster of(EnforcementRule rule) {
        return SampleCluster.of(4).bound(Binding.EARLY).enforcing(rule).tariff(BillingTest.late());
    }

    private Money book() {
        return cluster.grant(Request.of(1, 2, 100).start(100)).price();
    }

    @Test
    void anOwnerNamesOtherUsersAtAnyTimeBeforeTheEnd() {
        assertThat(change(50, "ada", "bob").origin().users()).containsExactly("ada", "bob");
        report(60, EnforcementState.MATERIALISED, Optional.empty());
        advance(150);

        var running = cluster.latest(1);
        var changed = change(150);

        assertThat(changed.origin().users()).isEmpty();
        assertThat(changed.version()).isEqualTo(running.version() + 1);
        assertThat(changed.price()).isEqualTo(price);
        assertThat(cluster.happens(new ChangeUsers(Request.target(1), List.of())))
                .isEmpty();
        advance(200);
        assertThat(cluster.refuse(new ChangeUsers(Request.target(1), List.of("bob"))))
                .isEqualTo(new Rejection.NotLive(Request.id(1)));
    }

    @Test
    void aHoldHasUsers() {
        cluster.happens(Request.of(2, 2, 100).start(100).hold(50).reserve());

        var changed = cluster.grant(new ChangeUsers(Request.target(2), List.of("bob")));

        assertThat(changed.origin().users()).containsExactly("bob");
    }

    /** The machine keeps the reservation for its earlier users, so the owner has it. */
    @ParameterizedTest
    @EnumSource(
            value = EnforcementRule.class,
            names = {"REPORTED", "REQUIRED"})
    void anOwnerOwesEverythingAlthoughItNamesUnknownUsersBeforeTheStart(EnforcementRule rule) {
        cluster = LiveCluster.of(of(rule));
        book();
        report(10, EnforcementState.MATERIALISED, Optional.empty());
        change(99, "nobody");
        report(99, EnforcementState.DRIFTED, Optional.of(Cause.USERS_UNKNOWN));

        advance(500);

        owes(new Quantity(price, 200));
    }

    @Test
    void anOwnerOwesEverythingAlthoughItNamesUnknownUsersDuringTheRun() {
        report(10, EnforcementState.MATERIALISED, Optional.empty());
        advance(150);
        change(150, "nobody");
        report(151, EnforcementState.DRIFTED, Optional.of(Cause.USERS_UNKNOWN));

        advance(500);

        owes(new Quantity(price, 200));
    }

    @Test
    void aReportAboutAnotherSlotIsIgnored() {
        change(50, "nobody");
        assertThat(cluster.at(60)
                        .happens(new TellEnforcement(List.of(
                                told(EnforcementState.DRIFTED, Optional.of(Cause.USERS_UNKNOWN), new Slot(90, 190))))))
                .isEmpty();
        assertThat(cluster.latest(1).enforcement().told()).isEmpty();
    }

    @Test
    void knownUsersCureTheFaultAndTheRestOfTheRunIsOwedInFull() {
        cluster = LiveCluster.of(of(EnforcementRule.REPORTED));
        book();
        report(10, EnforcementState.FAILED, Optional.of(Cause.USERS_UNKNOWN));
        advance(150);
        change(150, "bob");
        report(151, EnforcementState.MATERIALISED, Optional.empty());

        advance(500);

        owes(new Quantity(price, 200));
    }

    /** Otherwise an owner could change its users just before the machine's time is over, and be credited. */
    @Test
    void aChangeThatTheMachineHasNotSeenYetIsNoExcuse() {
        report(10, EnforcementState.FAILED, Optional.of(Cause.USERS_UNKNOWN));
        advance(159);
        change(159, "bob");

        advance(500);

        var ended = cluster.latest(1);
        assertThat(ended.status().reason()).hasValue(EndReason.USERS_UNKNOWN);
        owes(new Quantity(price, 200).share(new BigDecimal("0.5")));
    }

    private void owes(Quantity due) {
        var ended = cluster.latest(1);
        assertThat(ended.state().isLive()).isFalse();
        assertThat(ended.charge().credit()).isEmpty();
        assertThat(Dues.of(ended).charged()).isEqualTo(due);
    }

    private Reservation change(long now, String... users) {
        return cluster.at(now).grant(new ChangeUsers(Request.target(1), List.of(users)));
    }

    private void report(long now, EnforcementState state, Optional<Cause> cause) {
        assertThat(cluster.at(now).happens(new TellEnforcement(List.of(told(state, cause, new Slot(100, 200))))))
                .hasSize(1);
    }

    private void advance(long now) {
        var unused = cluster.at(now).happens(new AdvanceClock(100));
    }

    private static ReportedPart told(EnforcementState state, Optional<Cause> cause, Slot slot) {
        return new ReportedPart(
                Request.id(1),
                new Report(0, state, Optional.of("berth.1"), Optional.empty(), cause, Optional.empty(), 0),
                state == EnforcementState.FAILED ? Optional.empty() : Optional.of(new There(slot, PeSet.range(0, 2))));
    }
}
