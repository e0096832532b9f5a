package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.intake.IntakeRequest;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Allowance;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.Target;
import berth.scheduling.WaitingList;
import berth.scheduling.places.WaitingPass;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Requests that wait for room, on four PEs with a horizon of a thousand seconds, all of which are taken at first. */
class WaitForRoomTest {

    private static final long NOW = 100;
    private static final Function<AccountName, Optional<Allowance>> ANY = _ -> Optional.of(Allowance.UNLIMITED);

    private ClusterSchedule schedule = ClusterSchedule.empty(SampleCluster.of(4).cluster());
    private WaitingPass pass = WaitingPass.BEGINNING;
    private Function<AccountName, Optional<Allowance>> allowances = ANY;
    private final List<Event> events = new ArrayList<>();

    /** Decides a command as a desk does in one turn, including the waiting list. */
    private Decision decide(Command command, long now) {
        var before = schedule;
        var due = new AdvanceClock(Integer.MAX_VALUE).decide(new Basis(before, now));
        var happened = new ArrayList<>(due.events());
        schedule = due.next();
        var decision = command.decide(new Basis(schedule, now));
        if (decision instanceof Decision.Accepted(var granted, var next)) {
            happened.addAll(granted);
            schedule = next;
        }
        var turn = new GrantWaiting(pass.after(before, schedule, happened))
                .turn(new Basis(schedule, now, allowances, _ -> 0));
        happened.addAll(turn.granted().events());
        schedule = turn.granted().next();
        pass = turn.left();
        events.addAll(happened);
        return decision;
    }

    private void takeAll(long seconds) {
        decide(Request.of(99, 4, seconds).reserve(), NOW);
    }

    private Decision waits(int number, int pes, long seconds) {
        return decide(wait(number, RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), seconds, pes)), NOW);
    }

    private static WaitForRoom wait(int number, RequestedTerms terms) {
        var origin = Request.of(number, 1, 1).reserve().origin();
        return new WaitForRoom(Request.id(number), origin, 5, terms, OptionalLong.empty(), Long.MAX_VALUE);
    }

    private static RequestedTerms until(long deadline, long seconds, int pes) {
        return RequestedTerms.of(OptionalLong.empty(), OptionalLong.of(deadline), seconds, pes);
    }

    private void cancelAll(long now) {
        decide(new Cancel(new Target(Request.id(99), OptionalInt.empty())), now);
    }

    private List<ReservationId> granted() {
        return events.stream()
                .filter(event -> event.type() == Event.Type.GRANTED)
                .map(event -> ((RequestEvent) event).request().id())
                .toList();
    }

    @Test
    void aRequestWithoutRoomWaitsAndTakesNoPes() {
        takeAll(1000);
        waits(1, 4, 10);

        var waiting = schedule.waiting().find(Request.id(1)).orElseThrow();
        assertThat(waiting.state()).isEqualTo(IntakeRequest.State.WAITING);
        assertThat(waiting.waitUntil()).hasValue(NOW + 1000 - 10 + 1);
        assertThat(waiting.version()).isEqualTo(1);
        assertThat(schedule.waiting().rank(Request.id(1))).hasValue(1);
        assertThat(schedule.requests()).isEmpty();
        assertThat(granted()).isEmpty();
    }

    @Test
    void aWaitingRequestIsGrantedInTheTurnInWhichRoomAppears() {
        takeAll(1000);
        waits(1, 4, 10);
        cancelAll(NOW + 5);

        assertThat(granted()).containsExactly(Request.id(1));
        var reservation = schedule.find(Request.id(1)).orElseThrow();
        assertThat(reservation.state()).isEqualTo(ReservationState.CONFIRMED);
        assertThat(reservation.slot().start()).isEqualTo(NOW + 5);
        assertThat(schedule.waiting().isEmpty()).isTrue();
        assertThat(events.getLast().at()).isEqualTo(NOW + 5);
    }

    @Test
    void aRequestWithRoomIsGrantedAtOnce() {
        assertThat(waits(1, 4, 10)).isInstanceOf(Decision.Accepted.class);

        assertThat(events.stream().map(Event::type))
                .containsExactly(Event.Type.WAITING, Event.Type.GRANTED, Event.Type.CONFIRMED);
    }

    @Test
    void theEarliestWaitingRequestIsGrantedFirst() {
        takeAll(1000);
        waits(7, 2, 900);
        waits(3, 2, 900);
        waits(5, 2, 900);
        assertThat(schedule.waiting().rank(Request.id(5))).hasValue(3);
        cancelAll(NOW);

        assertThat(granted()).containsExactly(Request.id(7), Request.id(3));
        assertThat(schedule.waiting().rank(Request.id(5))).hasValue(1);
    }

    @Test
    void aRequestThatFitsDoesNotWaitForOneThatDoesNot() {
        decide(Request.of(98, 2, 1000).reserve(), NOW);
        decide(Request.of(99, 2, 1000).reserve(), NOW);
        waits(1, 4, 10);
        waits(2, 2, 10);
        cancelAll(NOW);

        assertThat(granted()).containsExactly(Request.id(2));
    }

    @Test
    void aWaitingRequestExpiresAtItsLatestStart() {
        takeAll(1000);
        decide(wait(1, until(NOW + 50, 10, 1)), NOW);
        decide(new AdvanceClock(1), NOW + 40);
        assertThat(schedule.waiting().size()).isEqualTo(1);

        cancelAll(NOW + 41);

        assertThat(granted()).isEmpty();
        assertThat(events.stream()
                        .filter(event -> event.type() == Event.Type.WAIT_EXPIRED)
                        .map(Event::at))
                .containsExactly(NOW + 41);
    }

    @Test
    void aWaitingRequestExpiresAtItsWaitUntil() {
        takeAll(1000);
        var asked = wait(1, until(NOW + 50, 10, 1));
        decide(new WaitForRoom(asked.id(), asked.origin(), 5, asked.terms(), asked.start(), NOW + 20), NOW);
        cancelAll(NOW + 20);

        assertThat(granted()).isEmpty();
    }

    @Test
    void aHoldThatExpiresMakesRoom() {
        decide(Request.of(99, 4, 900).start(NOW + 30).hold(20).reserve(), NOW);
        decide(Request.of(98, 4, 30).reserve(), NOW);
        waits(1, 4, 500);
        decide(new AdvanceClock(1), NOW + 20);

        assertThat(granted()).containsExactly(Request.id(1));
        assertThat(schedule.find(Request.id(1)).orElseThrow().slot().start()).isEqualTo(NOW + 30);
    }

    @Test
    void addedPesMakeRoom() {
        takeAll(1000);
        waits(1, 2, 10);
        decide(new ChangeCluster(schedule.cluster(), SampleCluster.of(6).cluster()), NOW);

        assertThat(granted()).containsExactly(Request.id(1));
    }

    @Test
    void anEndedOutageMakesRoom() {
        var outage = new berth.cluster.OutageId(new UUID(0, 1));
        decide(
                new RecordOutage(
                        outage, 3, Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty()),
                NOW);
        waits(1, 4, 10);
        decide(new EndOutage(outage), NOW);

        assertThat(granted()).containsExactly(Request.id(1));
    }

    @Test
    void aWaitingRequestIsGrantedWithinItsBudget() {
        takeAll(1000);
        var dear = Request.of(1, 4, 10).budget("0.01").reserve();
        decide(new WaitForRoom(dear.id(), dear.origin(), 5, dear.terms(), dear.start(), Long.MAX_VALUE), NOW);
        cancelAll(NOW);

        assertThat(granted()).isEmpty();
        assertThat(schedule.waiting().size()).isEqualTo(1);
    }

    @Test
    void aWaitingRequestIsGrantedWithinTheLimitsOfItsAccount() {
        takeAll(1000);
        waits(1, 2, 10);
        var limits = new AccountLimits(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.empty());
        allowances = _ -> Optional.of(new Allowance(limits, List.of()));
        cancelAll(NOW);
        assertThat(granted()).isEmpty();

        allowances = ANY;
        decide(new AdvanceClock(1), NOW + 60);
        assertThat(granted()).containsExactly(Request.id(1));
    }

    @Test
    void aWaitingRequestIsTriedAgainAfterOtherBookingsOfItsAccount() {
        takeAll(1000);
        waits(1, 2, 10);
        allowances = _ -> Optional.empty();
        cancelAll(NOW);
        assertThat(granted()).isEmpty();
        assertThat(pass.waitsForOthers()).isTrue();

        allowances = ANY;
        decide(new AdvanceClock(1), NOW);
        assertThat(granted()).containsExactly(Request.id(1));
        assertThat(pass.waitsForOthers()).isFalse();
    }

    @Test
    void aWithdrawnRequestWaitsNoLonger() {
        takeAll(1000);
        waits(1, 2, 10);
        decide(new Withdraw(Request.id(1)), NOW);
        cancelAll(NOW);

        assertThat(granted()).isEmpty();
        assertThat(schedule.nextDue()).isEmpty();
        assertThat(((RequestEvent) events.stream()
                                .filter(event -> event.type() == Event.Type.WITHDRAWN)
                                .findAny()
                                .orElseThrow())
                        .request()
                        .version())
                .isEqualTo(2);
    }

    @Test
    void aCollectedRequestThatIsTurnedDownWaitsIfItWants() {
        takeAll(1000);
        var reserve = Request.of(1, 2, 10).reserve();
        decide(
                new Collect(
                        reserve.id(),
                        reserve.origin(),
                        5,
                        reserve.terms(),
                        reserve.start(),
                        Optional.empty(),
                        OptionalLong.of(NOW + 500)),
                NOW);
        decide(new TurnDown(Request.id(1), new Rejection.NoSlot()), NOW);
        assertThat(schedule.waiting().find(Request.id(1)).orElseThrow().waitUntil())
                .hasValue(NOW + 500);
        cancelAll(NOW + 1);

        assertThat(granted()).containsExactly(Request.id(1));
    }

    @Test
    void anImpossibleRequestDoesNotWait() {
        assertThat(code(waits(1, 5, 10))).isEqualTo(RefusalCode.NEVER_FITS);
        assertThat(code(waits(1, 1, 0))).isEqualTo(RefusalCode.INVALID_TERMS);
        var late = wait(1, until(NOW + 50, 10, 1));
        assertThat(code(decide(new WaitForRoom(late.id(), late.origin(), 5, late.terms(), late.start(), NOW), NOW)))
                .isEqualTo(RefusalCode.INVALID_TERMS);
        assertThat(events).isEmpty();
    }

    @Test
    void anAccountHasALimitedNumberOfWaitingRequests() {
        takeAll(1000);
        for (int i = 0; i < WaitingList.MAX_PER_ACCOUNT; i++) {
            waits(100 + i, 4, 10);
        }

        assertThat(code(waits(1, 4, 10))).isEqualTo(RefusalCode.LIMIT_EXCEEDED);
        assertThat(schedule.waiting().size()).isEqualTo(WaitingList.MAX_PER_ACCOUNT);
    }

    /** However many requests do not fit, a turn ends, and a later request that fits gets its place in a later turn. */
    @Test
    void aTurnTriesALimitedNumberOfRequestsAndTheNextGoesOn() {
        decide(Request.of(98, 4, 10).start(NOW + 45).reserve(), NOW);
        decide(Request.of(99, 4, 45).reserve(), NOW);
        for (int i = 0; i < 250; i++) {
            decide(wait(200 + i, until(NOW + 55, 50, 4)), NOW);
        }
        decide(wait(1, until(NOW + 55, 5, 4)), NOW);

        cancelAll(NOW + 5);
        assertThat(granted()).isEmpty();
        assertThat(pass.isUnderWay()).isTrue();
        decide(new AdvanceClock(1), NOW + 5);
        assertThat(granted()).isEmpty();
        decide(new AdvanceClock(1), NOW + 5);
        assertThat(granted()).containsExactly(Request.id(1));
        assertThat(pass.isUnderWay()).isFalse();
    }

    private static RefusalCode code(Decision decision) {
        return ((Decision.Rejected) decision).reason().code();
    }
}
