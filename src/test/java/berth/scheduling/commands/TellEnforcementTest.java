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
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.BillingTest;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.TellEnforcement.ReportedPart;
import berth.scheduling.commands.TellEnforcement.There;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TellEnforcementTest {

    private static final SampleCluster FOUR = SampleCluster.of(4).bound(Binding.EARLY);

    private LiveCluster cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.REQUIRED));

    @Test
    void aPartReportedAsPromisedIsInPlaceAndStarts() {
        book(100);

        var told = tell(0, inPlace(0, 100, 200, "0-1"));

        assertThat(told).extracting(Event::type).containsExactly(Event.Type.ENFORCED);
        assertThat(state()).isEqualTo(EnforcementState.MATERIALISED);
        assertThat(tell(1, inPlace(0, 100, 200, "0-1"))).isEmpty();
        advance(500);
        assertThat(cluster.schedule().reservations()).isEmpty();
    }

    @Test
    void aRunNotInPlaceAMinuteAfterItsStartFailsAndIsCredited() {
        book(100);

        var events = advance(500);

        assertThat(events).extracting(Event::type).containsExactly(Event.Type.STARTED, Event.Type.FAILED);
        var failed = ((ReservationEvent) events.getLast()).reservation();
        assertThat(events.getLast().at()).isEqualTo(160);
        assertThat(failed.status().reason()).hasValue(EndReason.NOT_ENFORCED);
        assertThat(failed.price().amount()).isZero();
        assertThat(failed.charge().credit()).isPresent();
    }

    @Test
    void aShortRunThatWasNeverInPlaceFailsAtItsEnd() {
        cluster.happens(Request.of(1, 2, 30).ready(100).deadline(130).reserve());

        assertThat(advance(500).getLast()).isInstanceOfSatisfying(ReservationEvent.class, event -> {
            assertThat(event.type()).isEqualTo(Event.Type.FAILED);
            assertThat(event.at()).isEqualTo(130);
        });
    }

    @Test
    void aRunMayBeInPlaceAMinuteLateAndIsClaimedFromThenOn() {
        cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.REQUIRED).claimWithin(20));
        book(100);
        advance(150);

        tell(150, inPlace(0, 100, 200, "0-1"));

        assertThat(only().status().claimBy()).hasValue(170);
        assertThat(advance(169)).isEmpty();
        assertThat(advance(170)).extracting(Event::type).containsExactly(Event.Type.RELEASED);
    }

    @Test
    void aRunThatWasInPlaceDoesNotFailForDrift() {
        book(100);
        tell(0, inPlace(0, 100, 200, "0-1"));
        advance(110);

        tell(120, told(0, EnforcementState.DRIFTED, "somebody has changed it"));

        assertThat(state()).isEqualTo(EnforcementState.DRIFTED);
        assertThat(advance(199)).isEmpty();
        assertThat(advance(200)).extracting(Event::type).containsExactly(Event.Type.COMPLETED);
    }

    @Test
    void aReportAboutAnotherPlaceDoesNotCount() {
        book(100);

        assertThat(tell(0, inPlace(0, 100, 200, "1-2"))).isEmpty();
        assertThat(tell(0, inPlace(0, 100, 201, "0-1"))).isEmpty();
        assertThat(tell(0, inPlace(0, 99, 200, "0-1"))).isEmpty();
        assertThat(tell(0, inPlace(1, 100, 200, "0-1"))).isEmpty();
        assertThat(only().enforcement().told()).isEmpty();
    }

    @Test
    void aRunningReservationMayStartLaterOnTheMachine() {
        book(100);
        advance(140);

        tell(140, inPlace(0, 130, 200, "0-1"));

        assertThat(state()).isEqualTo(EnforcementState.MATERIALISED);
    }

    @Test
    void aMovedReservationMustBePutInPlaceAgain() {
        cluster.happens(
                Request.of(1, 2, 100).ready(100).deadline(1000).start(100).reserve());
        tell(0, inPlace(0, 100, 200, "0-1"));

        cluster.happens(LiveCluster.outageOf(9, "0-3", 90, 300));

        var moved = only();
        assertThat(moved.slot().start()).isEqualTo(300);
        assertThat(moved.enforcement().told()).isEmpty();
        assertThat(advance(400)).extracting(Event::type).contains(Event.Type.FAILED);
    }

    @Test
    void aRenegotiationThatKeepsThePlaceKeepsTheReport() {
        var asked = Request.of(1, 2, 100).ready(100).deadline(1000).start(100);
        cluster.happens(asked.reserve());
        tell(0, inPlace(0, 100, 200, "0-1"));

        cluster.happens(asked.deadline(900).renegotiate());
        assertThat(state()).isEqualTo(EnforcementState.MATERIALISED);

        cluster.happens(asked.duration(50).renegotiate());
        assertThat(only().enforcement().told()).isEmpty();
    }

    @Test
    void theReasonForAMissingReservationIsKeptAndReportedOnce() {
        book(100);

        assertThat(tell(5, told(0, EnforcementState.PENDING, "job 7 is in the way")))
                .extracting(Event::type)
                .containsExactly(Event.Type.ENFORCEMENT_FAILED);
        assertThat(tell(9, told(0, EnforcementState.PENDING, "job 7 is in the way")))
                .isEmpty();
        assertThat(only().enforcement().of(0).map(Report::since)).hasValue(5L);
        assertThat(tell(10, told(0, EnforcementState.FAILED, "no such user")))
                .extracting(Event::type)
                .containsExactly(Event.Type.ENFORCEMENT_FAILED);
        assertThat(only().enforcement().of(0).map(Report::since)).hasValue(10L);
        advance(500);
        assertThat(cluster.schedule().reservations()).isEmpty();
    }

    @Test
    void aReservationThatAReportOmitsKeepsItsState() {
        book(100);
        tell(0, inPlace(0, 100, 200, "0-1"));

        assertThat(tell(1)).isEmpty();
        assertThat(state()).isEqualTo(EnforcementState.MATERIALISED);
    }

    @Test
    void afterADowntimeTheAgentHasAnotherMinute() {
        book(100);

        var events = cluster.at(180).happens(new AdvanceClock(100, 170));

        assertThat(events)
                .extracting(Event::type)
                .containsExactly(Event.Type.STARTED, Event.Type.ENFORCEMENT_POSTPONED);
        tell(180, inPlace(0, 100, 200, "0-1"));
        assertThat(advance(300)).extracting(Event::type).containsExactly(Event.Type.COMPLETED);
    }

    @Test
    void aRunThatEndedDuringADowntimeCompletes() {
        book(100);

        assertThat(cluster.at(250).happens(new AdvanceClock(100, 190)))
                .extracting(Event::type)
                .containsExactly(Event.Type.STARTED, Event.Type.ENFORCEMENT_POSTPONED, Event.Type.COMPLETED);
    }

    @Test
    void reportsAreIgnoredWhereNoneAreExpected() {
        cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.NONE));
        book(100);

        assertThat(tell(0, told(0, EnforcementState.FAILED, "no such user"))).isEmpty();
        assertThat(advance(500)).extracting(Event::type).contains(Event.Type.COMPLETED);
    }

    @Test
    void ifReportsAreOptionalARunThatWasNeverInPlaceFailsWithACredit() {
        cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.REPORTED));
        book(100);
        tell(0, told(0, EnforcementState.FAILED, Optional.of(Cause.NODES_BUSY), "job 7"));

        assertThat(advance(199)).extracting(Event::type).containsExactly(Event.Type.STARTED);
        assertThat(advance(200)).extracting(Event::type).containsExactly(Event.Type.FAILED);
        var failed = cluster.latest(1);
        assertThat(failed.status().reason()).hasValue(EndReason.NOT_ENFORCED);
        assertThat(failed.charge().credit()).isPresent();
        assertThat(Dues.of(failed).charged().isNothing()).isTrue();
    }

    @Test
    void ifReportsAreOptionalARunInPlaceAtItsLastMomentIsOwed() {
        cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.REPORTED));
        book(100);
        advance(100);
        tell(199, inPlace(0, 100, 200, "0-1"));

        assertThat(advance(200)).extracting(Event::type).containsExactly(Event.Type.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(
            value = EnforcementRule.class,
            names = {"REPORTED", "REQUIRED"})
    void anOwnerOwesALateCancellationForUnknownUsers(EnforcementRule rule) {
        cluster = LiveCluster.of(FOUR.enforcing(rule).tariff(BillingTest.late()));
        var price = cluster.grant(Request.of(1, 2, 100).start(100)).price();
        tell(0, told(0, EnforcementState.FAILED, Optional.of(Cause.USERS_UNKNOWN), "no user bob"));

        assertThat(advance(500)).extracting(Event::type).containsExactly(Event.Type.STARTED, Event.Type.CANCELLED);
        var ended = cluster.latest(1);
        assertThat(ended.status().reason()).hasValue(EndReason.USERS_UNKNOWN);
        assertThat(ended.charge().credit()).isEmpty();
        assertThat(Dues.of(ended).charged()).isEqualTo(new Quantity(price, 200).share(new BigDecimal("0.5")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOwnerWhoEndsARunThatIsStillNotInPlaceOwesNothing(boolean cancels) {
        cluster = LiveCluster.of(FOUR.enforcing(EnforcementRule.REPORTED));
        book(100);
        advance(100);
        var ending = cancels ? new Cancel(Request.target(1)) : new Complete(Request.target(1));

        assertThat(((ReservationEvent) ((Decision.Accepted) ending.decide(new Basis(cluster.schedule(), 159)))
                                .events()
                                .getFirst())
                        .type())
                .isEqualTo(cancels ? Event.Type.CANCELLED : Event.Type.COMPLETED);
        assertThat(cluster.at(160).happens(ending)).extracting(Event::type).containsExactly(Event.Type.FAILED);
    }

    @Test
    void reportsAboutEarlierReservationsCountAfterAChangeOfTheRule() {
        book(100);
        cluster.happens(new ChangeCluster(
                cluster.schedule().cluster(),
                FOUR.enforcing(EnforcementRule.NONE).cluster()));

        assertThat(tell(0, inPlace(0, 100, 200, "0-1"))).hasSize(1);
    }

    @Test
    void aHoldIsNotInPlaceYet() {
        cluster.happens(Request.of(1, 2, 100).ready(100).hold(50).reserve());

        assertThat(tell(0, inPlace(0, 100, 200, "0-1"))).isEmpty();
    }

    @Test
    void tooManyReportsAreRejected() {
        var many = Collections.nCopies(TellEnforcement.MAX + 1, inPlace(0, 100, 200, "0-1"));

        assertThat(new TellEnforcement(many).decide(new Basis(cluster.schedule(), 0)))
                .isInstanceOf(Decision.Rejected.class);
    }

    @Test
    void aRunThatLostPesIsInPlaceOnThoseThatItHas() {
        cluster = LiveCluster.of(SampleCluster.of(2).bound(Binding.EARLY).enforcing(EnforcementRule.REPORTED));
        book(0);
        advance(0);
        tell(1, inPlace(0, 0, 100, "0-1"));
        cluster.at(40).happens(LiveCluster.outageOf(1, "1"));

        tell(41, inPlace(0, 0, 100, "0-1"));
        assertThat(state()).isEqualTo(EnforcementState.PENDING);
        tell(42, inPlace(0, 0, 100, "0"));

        assertThat(state()).isEqualTo(EnforcementState.MATERIALISED);
    }

    private void book(long start) {
        cluster.happens(Request.of(1, 2, 100).ready(start).deadline(start + 100).reserve());
    }

    private Reservation only() {
        return cluster.schedule().reservations().iterator().next();
    }

    private EnforcementState state() {
        assertThat(only().state()).isIn(ReservationState.CONFIRMED, ReservationState.RUNNING);
        return only().enforcement().of(0).map(Report::state).orElse(EnforcementState.PENDING);
    }

    private List<Event> tell(long now, ReportedPart... told) {
        return cluster.at(now).happens(new TellEnforcement(List.of(told)));
    }

    private List<Event> advance(long now) {
        return cluster.at(now).happens(new AdvanceClock(100));
    }

    private static ReportedPart inPlace(int part, long from, long to, String pes) {
        return new ReportedPart(
                Request.id(1),
                new Report(
                        part,
                        EnforcementState.MATERIALISED,
                        Optional.of("berth.1"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        0),
                Optional.of(new There(new Slot(from, to), PeSet.parse(pes))));
    }

    private static ReportedPart told(int part, EnforcementState state, String detail) {
        return told(part, state, Optional.empty(), detail);
    }

    private static ReportedPart told(int part, EnforcementState state, Optional<Cause> cause, String detail) {
        return new ReportedPart(
                Request.id(1),
                new Report(part, state, Optional.empty(), Optional.empty(), cause, Optional.of(detail), 0),
                Optional.empty());
    }
}
