package berth.scheduling.commands;

import static org.assertj.core.api.Assertions.assertThat;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Allowance;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Rejection;
import berth.scheduling.SampleCluster;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Requests that wait for their round, on four PEs with a horizon of a thousand seconds. */
class CollectTest {

    private static final long NOW = 100;
    private static final ClusterSchedule EMPTY =
            ClusterSchedule.empty(SampleCluster.of(4).cluster());

    @Test
    void aCollectedRequestTakesNothing() {
        var schedule = collected(EMPTY, collect(1, terms(4, 10)));

        assertThat(schedule.request(id(1)).orElseThrow())
                .isEqualTo(IntakeRequest.pending(
                        id(1),
                        new ClusterId("sp2"),
                        collect(1, terms(4, 10)).origin(),
                        7,
                        terms(4, 10),
                        OptionalLong.empty(),
                        NOW));
        assertThat(schedule.profile()).isEqualTo(EMPTY.profile());
        assertThat(schedule.reservations()).isEmpty();
        assertThat(schedule.nextDue()).isEmpty();
    }

    @Test
    void anImpossibleRequestIsRejectedAtOnce() {
        assertThat(code(collect(1, terms(5, 10)).decide(new Basis(EMPTY, NOW)))).isEqualTo(RefusalCode.NEVER_FITS);
        assertThat(code(collect(1, terms(1, 0)).decide(new Basis(EMPTY, NOW)))).isEqualTo(RefusalCode.INVALID_TERMS);
        assertThat(code(new Collect(id(1), origin(), 7, terms(1, 10), OptionalLong.of(NOW - 1), Optional.empty())
                        .decide(new Basis(EMPTY, NOW))))
                .isEqualTo(RefusalCode.INVALID_TERMS);
        var closed = ClusterSchedule.empty(SampleCluster.of(4).closed().cluster());
        assertThat(code(collect(1, terms(1, 10)).decide(new Basis(closed, NOW))))
                .isEqualTo(RefusalCode.NO_SLOT);
    }

    @Test
    void aRequestWithoutRoomNowIsStillCollected() {
        var full = granted(EMPTY, reserve(9, terms(4, 1000)));

        assertThat(collect(1, terms(4, 1000)).decide(new Basis(full, NOW))).isInstanceOf(Decision.Accepted.class);
        assertThat(new Collect(id(1), origin(), 7, terms(1, 10), OptionalLong.of(NOW), Optional.empty())
                        .decide(new Basis(full, NOW)))
                .isInstanceOf(Decision.Accepted.class);
    }

    @Test
    void theNumberOfCollectedRequestsIsLimited() {
        var schedule = EMPTY;
        for (int i = 0; i < Collect.MAX; i++) {
            schedule = collected(schedule, collect(i, terms(1, 1)));
        }

        assertThat(code(collect(Collect.MAX, terms(1, 1)).decide(new Basis(schedule, NOW))))
                .isEqualTo(RefusalCode.LIMIT_EXCEEDED);
    }

    @Test
    void anAdmittedRequestBecomesAReservationOfTheSameId() {
        var schedule = collected(EMPTY, collect(1, terms(4, 10)));

        var admitted = accepted(new Admit(id(1)).decide(new Basis(schedule, NOW + 5)));
        var origin = schedule.request(id(1)).orElseThrow().granting();
        var reserved = accepted(reserve(1, origin, terms(4, 10)).decide(new Basis(EMPTY, NOW + 5)));

        assertThat(admitted.events().getFirst())
                .isEqualTo(new RequestEvent(
                        Event.Type.GRANTED,
                        schedule.request(id(1)).orElseThrow().granted(NOW + 5),
                        NOW + 5));
        assertThat(admitted.events().subList(1, admitted.events().size())).isEqualTo(reserved.events());
        assertThat(admitted.next()).isEqualTo(reserved.next());
        assertThat(schedule.with(admitted.events())).isEqualTo(admitted.next());
    }

    @Test
    void aRequestWithoutRoomInItsTurnIsRejected() {
        var schedule = granted(collected(EMPTY, collect(1, terms(4, 1000))), reserve(9, terms(1, 1000)));

        var rejected = accepted(new Admit(id(1)).decide(new Basis(schedule, NOW)));

        assertThat(request(rejected).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(request(rejected).state()).isEqualTo(IntakeRequest.State.REJECTED);
        assertThat(rejected.next().requests()).isEmpty();
        assertThat(rejected.next().profile()).isEqualTo(schedule.profile());
    }

    @Test
    void aRequestThatTakesAlternativesWaitsForOneOrForItsRejection() {
        var strict = RequestedTerms.of(OptionalLong.of(NOW + 10), OptionalLong.of(NOW + 20), 10, 4);
        var asked = new Collect(id(1), origin(), 7, strict, OptionalLong.empty(), Optional.of(later()));
        var inTheWay = reserve(9, RequestedTerms.of(OptionalLong.of(NOW + 10), OptionalLong.of(NOW + 20), 10, 1));
        var schedule = granted(collected(EMPTY, asked), inTheWay);
        var request = schedule.request(id(1)).orElseThrow();
        var nearest = Admit.instead(request, schedule, NOW);
        var behind = granted(
                schedule, reserve(8, RequestedTerms.of(OptionalLong.of(NOW + 20), OptionalLong.of(NOW + 30), 10, 1)));

        var waitsOn = new Admit(id(1)).decide(new Basis(schedule, NOW));
        var granted = accepted(new Admit(id(1), nearest).decide(new Basis(schedule, NOW)));
        var taken = new Admit(id(1), nearest).decide(new Basis(behind, NOW));

        assertThat(code(waitsOn)).isEqualTo(RefusalCode.NO_SLOT);
        assertThat(request(granted).state()).isEqualTo(IntakeRequest.State.GRANTED);
        var reservation = granted.next().find(id(1)).orElseThrow();
        assertThat(reservation.slot().start()).isEqualTo(NOW + 20);
        assertThat(reservation.origin().phi()).contains(new BigDecimal("1.000000"));
        assertThat(reservation.terms().window().deadline()).isEqualTo(NOW + 30);
        assertThat(code(taken)).isEqualTo(RefusalCode.NO_SLOT);
        assertThat(Admit.instead(request, behind, NOW)).isEmpty();
        assertThat(Admit.instead(request.within(Optional.of(Leeway.ANY)), behind, NOW))
                .hasValueSatisfying(
                        earlier -> assertThat(earlier.offer().slot().start()).isEqualTo(NOW));
    }

    private static Leeway later() {
        return new Leeway(Optional.of(BigDecimal.ONE), false);
    }

    @Test
    void anAccountAtItsLimitIsRejected() {
        var schedule = granted(collected(EMPTY, collect(1, terms(1, 10))), reserve(9, terms(1, 10)));
        var one = new Allowance(
                new AccountLimits(OptionalInt.of(1), OptionalInt.empty(), OptionalLong.empty()),
                List.<Reservation>of());

        assertThat(request(accepted(new Admit(id(1)).decide(new Basis(schedule, NOW).within(one))))
                        .reason())
                .contains(RefusalCode.LIMIT_EXCEEDED);
    }

    @Test
    void aCollectedRequestCountsAgainstTheLimits() {
        var schedule = collected(EMPTY, collect(1, terms(1, 10)));

        assertThat(refused(schedule, limits(1, 9, 9))).isEqualTo("limits.activeReservations");
        assertThat(refused(schedule, limits(9, 1, 9))).isEqualTo("limits.pes");
        assertThat(refused(schedule, limits(9, 9, 1))).isEqualTo("limits.pendingRequests");
        assertThat(collect(2, terms(1, 10)).decide(within(schedule, limits(2, 2, 2))))
                .isInstanceOf(Decision.Accepted.class);
        // nor does a request stand in its own way
        assertThat(new Admit(id(1)).decide(within(schedule, limits(1, 1, 1)))).isInstanceOf(Decision.Accepted.class);
    }

    private static AccountLimits limits(int active, int pes, int pending) {
        return new AccountLimits(
                OptionalInt.of(active),
                OptionalInt.of(pes),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalInt.of(pending),
                OptionalInt.empty(),
                OptionalLong.empty());
    }

    private static Basis within(ClusterSchedule schedule, AccountLimits limits) {
        return new Basis(schedule, NOW).within(new Allowance(limits, List.of()));
    }

    private static String refused(ClusterSchedule schedule, AccountLimits limits) {
        return collect(2, terms(1, 10)).decide(within(schedule, limits))
                        instanceof Decision.Rejected(Rejection.LimitExceeded(var limit))
                ? limit.field()
                : "";
    }

    @Test
    void aReadyTimeThatPassedDuringTheWaitMeansNow() {
        var asked = RequestedTerms.of(OptionalLong.of(NOW + 10), OptionalLong.empty(), 10, 4);
        var schedule = collected(EMPTY, collect(1, asked));

        var admitted = accepted(new Admit(id(1)).decide(new Basis(schedule, NOW + 500)));

        assertThat(admitted.next().find(id(1)).orElseThrow().slot().start()).isEqualTo(NOW + 500);
    }

    @Test
    void aRequestWhoseTimePassedDuringTheWaitFindsNoSlot() {
        var late = RequestedTerms.of(OptionalLong.empty(), OptionalLong.of(NOW + 20), 10, 4);
        var schedule = collected(EMPTY, collect(1, late));
        var pinned = collected(
                EMPTY, new Collect(id(1), origin(), 7, terms(1, 10), OptionalLong.of(NOW + 20), Optional.empty()));

        assertThat(request(accepted(new Admit(id(1)).decide(new Basis(schedule, NOW + 11))))
                        .reason())
                .contains(RefusalCode.NO_SLOT);
        assertThat(request(accepted(new Admit(id(1)).decide(new Basis(pinned, NOW + 21))))
                        .reason())
                .contains(RefusalCode.NO_SLOT);
    }

    @Test
    void aRejectedOrWithdrawnRequestWaitsNoLonger() {
        var schedule = collected(EMPTY, collect(1, terms(1, 10)));

        var down = accepted(new TurnDown(id(1), new Rejection.NoSlot()).decide(new Basis(schedule, NOW)));
        var withdrawn = accepted(new Withdraw(id(1)).decide(new Basis(schedule, NOW)));

        assertThat(request(down).reason()).contains(RefusalCode.NO_SLOT);
        assertThat(request(withdrawn).state()).isEqualTo(IntakeRequest.State.CANCELLED);
        assertThat(down.next()).isEqualTo(EMPTY).isEqualTo(withdrawn.next());
    }

    @Test
    void onlyCollectedRequestsAreAdmittedRejectedOrWithdrawn() {
        for (var command :
                List.of(new Admit(id(1)), new TurnDown(id(1), new Rejection.NoSlot()), new Withdraw(id(1)))) {
            assertThat(code(command.decide(new Basis(EMPTY, NOW)))).isEqualTo(RefusalCode.WRONG_STATE);
        }
    }

    @Test
    void aRebuiltScheduleHasTheCollectedRequests() {
        var schedule = collected(granted(EMPTY, reserve(9, terms(1, 10))), collect(1, terms(4, 10)));

        assertThat(ClusterSchedule.of(
                        schedule.cluster(), schedule.reservations(), List.of(), List.of(), schedule.requests(), NOW))
                .isEqualTo(schedule)
                .isNotEqualTo(EMPTY);
    }

    private static Collect collect(int number, RequestedTerms terms) {
        return new Collect(id(number), origin(), 7, terms, OptionalLong.empty(), Optional.empty());
    }

    private static Reserve reserve(int number, RequestedTerms terms) {
        return reserve(number, origin(), terms);
    }

    private static Reserve reserve(int number, Origin origin, RequestedTerms terms) {
        return new Reserve(id(number), origin, terms, OptionalLong.empty(), OptionalLong.empty());
    }

    private static RequestedTerms terms(int pes, long duration) {
        return RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), duration, pes);
    }

    private static Origin origin() {
        return new Origin(new AccountName("ada"), ServiceClass.STANDARD);
    }

    private static ReservationId id(int number) {
        return new ReservationId(new UUID(0x7000, number));
    }

    private static ClusterSchedule collected(ClusterSchedule schedule, Collect collect) {
        return accepted(collect.decide(new Basis(schedule, NOW))).next();
    }

    private static ClusterSchedule granted(ClusterSchedule schedule, Reserve reserve) {
        return accepted(reserve.decide(new Basis(schedule, NOW))).next();
    }

    private static Decision.Accepted accepted(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        return (Decision.Accepted) decision;
    }

    private static IntakeRequest request(Decision.Accepted accepted) {
        return ((RequestEvent) accepted.events().getFirst()).request();
    }

    private static RefusalCode code(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return ((Decision.Rejected) decision).reason().code();
    }
}
