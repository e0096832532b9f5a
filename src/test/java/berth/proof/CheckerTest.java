package berth.proof;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.proof.Finding.Rule;
import berth.proof.History.Act;
import berth.proof.History.Heard;
import berth.proof.History.Reserve;
import berth.proof.Recorded.About;
import berth.proof.Recorded.OfCluster;
import berth.proof.Recorded.OfOutage;
import berth.proof.Recorded.OfRequest;
import berth.proof.Recorded.OfReservation;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.Type;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An honest history has no findings, and each lie is found. */
class CheckerTest {

    private static final ClusterId CLUSTER = new ClusterId("rack");
    private static final int PES = 8;
    private static final AccountName ALICE = new AccountName("alice");
    private static final AccountName BOB = new AccountName("bob");
    private static final ReservationId ONE = new ReservationId(new UUID(0, 1));
    private static final ReservationId TWO = new ReservationId(new UUID(0, 2));
    private static final Window WINDOW = new Window(1000, 2000);
    private static final Reserve OF_ALICE =
            new Reserve(ALICE, CLUSTER, "hers", Optional.of("key"), Optional.of("the terms"));
    private static final Reserve OF_BOB = new Reserve(BOB, CLUSTER, "his", Optional.empty(), Optional.empty());
    private static final Standing CONFIRMED = standing(ReservationState.CONFIRMED, 5, "3.00", 1000, 1500);

    private final History history = new History();
    private final List<Promise> reservations = new ArrayList<>();
    private final List<Told.Request> requests = new ArrayList<>();
    private final List<Recorded> events = new ArrayList<>();
    private final Map<AccountName, Told.Seen> seen = new HashMap<>();

    // honest histories

    @Test
    void aKeptPromiseHasNoFindings() {
        promised(OF_ALICE, ONE, CONFIRMED);

        var verdict = verdict();

        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.acknowledged()).isEqualTo(1);
    }

    @Test
    void aPromiseMayEndByAnEventWithAReason() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.FAILED, 900, ended(ReservationState.FAILED, EndReason.PES_LOST));

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void aRunMayGoOnWithoutLostPes() {
        var running = standing(ReservationState.RUNNING, 5, "3.00", 1000, 1500);
        promised(OF_ALICE, ONE, CONFIRMED);
        happened(Type.STARTED, 1000, ONE, running);
        event(Type.OUTAGE_RECORDED, 1100, outage(5, 1200));
        reservations.clear();
        becomes(
                Type.LOSING,
                1100,
                new Standing(
                        ReservationState.RUNNING,
                        Optional.empty(),
                        "the terms",
                        WINDOW,
                        running.parts(),
                        List.of(Part.whole(new Slot(1200, 1500), 2)),
                        dollars("3.00")));

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void anUnknownOutcomeIsSettledByARecordOrARefusal() {
        history.add(OF_ALICE, new History.Nothing());
        promised(OF_ALICE, ONE, CONFIRMED);
        var neverArrived = new Reserve(ALICE, CLUSTER, "lost", Optional.of("lost"), Optional.empty());
        history.add(neverArrived, new History.Nothing());
        assertThat(history.inDoubt()).containsExactly(neverArrived);
        history.add(neverArrived, new History.Refused("no-slot"));
        assertThat(history.inDoubt()).isEmpty();

        var verdict = verdict();

        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.unknown()).isEqualTo(2);
        assertThat(verdict.unknownRecorded()).isEqualTo(1);
        assertThat(verdict.refused()).isZero();
    }

    @Test
    void movesOfOneDecisionMayOverlapBetweenTheirEvents() {
        promised(OF_ALICE, ONE, CONFIRMED);
        promised(OF_BOB, TWO, at(1500, 2000));
        var first = at(1500, 2000);
        var second = at(1000, 1500);
        happened(Type.MOVED, 900, ONE, first);
        happened(Type.MOVED, 900, TWO, second);
        reservations.clear();
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "hers", first));
        reservations.add(new Promise(TWO, CLUSTER, BOB, "his", second));

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void aCollectedRequestMayWaitOrBeTurnedDown() {
        history.add(OF_ALICE, new History.Collected(ONE));
        events.add(new Recorded(CLUSTER, 1, Type.REQUESTED, 0, new OfRequest(ONE, IntakeRequest.State.PENDING)));
        requests.add(new Told.Request(ONE, CLUSTER, ALICE, "hers", IntakeRequest.State.PENDING));

        assertThat(verdict().findings()).isEmpty();
    }

    // lies

    @Test
    void findsAnAcknowledgedReservationThatIsGone() {
        promised(OF_ALICE, ONE, CONFIRMED);
        reservations.clear();
        events.clear();

        found(Rule.LOST);
    }

    @Test
    void findsAnAcknowledgedReservationThatOnlyEventsMention() {
        promised(OF_ALICE, ONE, CONFIRMED);
        reservations.clear();

        found(Rule.LOST);
    }

    @Test
    void findsACollectedRequestThatIsGone() {
        history.add(OF_ALICE, new History.Collected(ONE));

        found(Rule.LOST);
    }

    @Test
    void findsAReservationWithoutEvents() {
        promised(OF_ALICE, ONE, CONFIRMED);
        events.clear();

        found(Rule.LOST);
    }

    @Test
    void findsAPriceOtherThanAcknowledged() {
        promised(OF_ALICE, ONE, CONFIRMED);
        events.clear();
        reservations.clear();
        var dearer = standing(ReservationState.CONFIRMED, 5, "4.00", 1000, 1500);
        happened(Type.CONFIRMED, 0, ONE, dearer);
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "hers", dearer));

        found(Rule.CHANGED);
    }

    @Test
    void findsAPlaceOtherThanInTheLastEvent() {
        promised(OF_ALICE, ONE, CONFIRMED);
        reservations.clear();
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "hers", at(1500, 2000)));

        found(Rule.CHANGED);
    }

    @Test
    void findsAChangedPlaceWithoutAMoveEvent() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.CLAIMED, 900, at(1500, 2000));
        history.add(new Act(ONE, Type.CLAIMED), new History.Done());

        found(Rule.CHANGED);
    }

    @Test
    void findsAMoveOutOfTheWindow() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.MOVED, 900, at(1700, 2200));

        found(Rule.CHANGED);
    }

    @Test
    void findsAMoveThatCostsMore() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.MOVED, 900, standing(ReservationState.CONFIRMED, 5, "3.01", 1000, 1500));

        found(Rule.CHANGED);
    }

    @Test
    void findsChangedTermsWithoutAnAgreement() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(
                Type.FIXED,
                900,
                new Standing(
                        CONFIRMED.state(),
                        CONFIRMED.reason(),
                        "other terms",
                        WINDOW,
                        CONFIRMED.parts(),
                        CONFIRMED.price()));
        history.add(new Act(ONE, Type.FIXED), new History.Done());

        found(Rule.CHANGED);
    }

    @Test
    void findsAFailureWithoutAReason() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.FAILED, 900, ended(ReservationState.FAILED));

        found(Rule.CHANGED);
    }

    @Test
    void findsACancelledReservationThatIsConfirmedAgain() {
        promised(OF_ALICE, ONE, CONFIRMED);
        history.add(new Act(ONE, Type.CANCELLED), new History.Done());
        becomes(Type.CANCELLED, 900, ended(ReservationState.CANCELLED));
        becomes(Type.MOVED, 950, standing(ReservationState.CONFIRMED, 5, "0.00", 1000, 1500));

        found(Rule.CHANGED);
    }

    @Test
    void findsAReservationThatNobodyRequested() {
        happened(Type.CONFIRMED, 0, ONE, CONFIRMED);
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "nobody's", CONFIRMED));

        found(Rule.INVENTED);
    }

    @Test
    void findsAReservationWhoseRequestWasRefused() {
        history.add(OF_ALICE, new History.Refused("no-slot"));
        happened(Type.CONFIRMED, 0, ONE, CONFIRMED);
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "hers", CONFIRMED));

        found(Rule.INVENTED);
    }

    @Test
    void findsTwoReservationsUnderOneKey() {
        promised(OF_ALICE, ONE, CONFIRMED);
        happened(Type.CONFIRMED, 0, TWO, at(1500, 2000));
        reservations.add(new Promise(TWO, CLUSTER, ALICE, "hers", at(1500, 2000)));

        found(Rule.INVENTED);
    }

    @Test
    void findsAReservationOnOtherTermsThanRequested() {
        history.add(OF_ALICE, new History.Nothing());
        var other = new Standing(
                CONFIRMED.state(), CONFIRMED.reason(), "others", WINDOW, CONFIRMED.parts(), CONFIRMED.price());
        promised(OF_ALICE, ONE, other);

        found(Rule.INVENTED);
    }

    @Test
    void findsACancellationThatNobodyRequested() {
        promised(OF_ALICE, ONE, CONFIRMED);
        history.add(new Act(ONE, Type.CANCELLED), new History.Refused("stale-version"));
        becomes(Type.CANCELLED, 900, ended(ReservationState.CANCELLED));

        found(Rule.INVENTED);
    }

    @Test
    void findsAnEarlyEndThatNobodyRequested() {
        promised(OF_ALICE, ONE, CONFIRMED);
        becomes(Type.STARTED, 1000, standing(ReservationState.RUNNING, 5, "3.00", 1000, 1500));
        becomes(Type.COMPLETED, 1499, standing(ReservationState.COMPLETED, 5, "3.00", 1000, 1500));

        found(Rule.INVENTED);
    }

    @Test
    void findsTwoAnswersToOneKey() {
        promised(OF_ALICE, ONE, CONFIRMED);
        history.add(
                OF_ALICE,
                new History.Promised(new Promise(
                        ONE, CLUSTER, ALICE, "hers", standing(ReservationState.CONFIRMED, 5, "2.00", 1000, 1500))));

        found(Rule.TWO_ANSWERS, Rule.CHANGED);
    }

    @Test
    void findsARefusalUnderTheKeyOfAGrant() {
        promised(OF_ALICE, ONE, CONFIRMED);
        history.add(OF_ALICE, new History.Refused("no-slot"));

        found(Rule.TWO_ANSWERS);
    }

    @Test
    void findsMorePesReservedThanTheClusterHas() {
        promised(OF_ALICE, ONE, CONFIRMED);
        promised(OF_BOB, TWO, at(1499, 1999));

        found(Rule.DOUBLE_BOOKED);
    }

    @Test
    void findsMorePesReservedThanAreInService() {
        promised(OF_ALICE, ONE, CONFIRMED);
        event(Type.OUTAGE_RECORDED, 900, outage(4, 1400));

        found(Rule.DOUBLE_BOOKED);
    }

    @Test
    void findsMorePesReservedThanAShrunkenClusterHas() {
        promised(OF_ALICE, ONE, CONFIRMED);
        event(Type.CLUSTER_CHANGED, 900, new OfCluster(4));

        found(Rule.DOUBLE_BOOKED);
    }

    @Test
    void findsAPeThatTwoReservationsHave() {
        promised(OF_ALICE, ONE, on(PeSet.range(0, 3)));
        promised(OF_BOB, TWO, on(PeSet.range(2, 5)));

        found(Rule.DOUBLE_BOOKED);
    }

    @Test
    void findsAReservationThatAnotherAccountSees() {
        promised(OF_ALICE, ONE, CONFIRMED);
        seen.put(BOB, new Told.Seen(Set.of(ONE), List.of()));

        found(Rule.STRANGER);
    }

    @Test
    void findsAnEventThatAnotherAccountSees() {
        promised(OF_ALICE, ONE, CONFIRMED);
        seen.put(BOB, new Told.Seen(Set.of(), events));

        found(Rule.STRANGER);
    }

    @Test
    void findsAnEventThatItsOwnerDoesNotSee() {
        promised(OF_ALICE, ONE, CONFIRMED);
        seen.put(ALICE, new Told.Seen(Set.of(ONE), List.of()));

        found(Rule.STRANGER);
    }

    @Test
    void findsAnAnswerWithAReservationOfAnotherAccount() {
        promised(OF_ALICE, ONE, CONFIRMED);
        history.add(OF_BOB, new History.Promised(new Promise(ONE, CLUSTER, ALICE, "hers", CONFIRMED)));

        found(Rule.STRANGER);
    }

    @Test
    void findsAGapInTheEvents() {
        promised(OF_ALICE, ONE, CONFIRMED);
        events.add(new Recorded(CLUSTER, 3, Type.CLUSTER_CHANGED, 0, new OfCluster(PES)));

        found(Rule.GAP);
    }

    @Test
    void findsAnEventNumberThatOccursTwice() {
        promised(OF_ALICE, ONE, CONFIRMED);
        events.add(new Recorded(CLUSTER, 1, Type.CLUSTER_CHANGED, 0, new OfCluster(PES)));

        found(Rule.GAP);
    }

    @Test
    void findsARequestThatStaysUnsettled() {
        history.add(OF_ALICE, new History.Nothing());

        found(Rule.UNSETTLED);
    }

    private void found(Rule... rules) {
        assertThat(verdict().findings()).extracting(Finding::rule).containsOnly(rules);
    }

    private Verdict verdict() {
        return Checker.check(history, new Told(Map.of(CLUSTER, PES), reservations, requests, events, seen));
    }

    /** Adds a request with a promise, a record and a reservation. */
    private void promised(Reserve request, ReservationId id, Standing standing) {
        var promise = new Promise(id, CLUSTER, request.owner(), request.label(), standing);
        Heard heard = new History.Promised(promise);
        history.add(request, heard);
        happened(Type.CONFIRMED, 0, id, standing);
        reservations.add(promise);
    }

    private void becomes(Type type, long at, Standing after) {
        happened(type, at, ONE, after);
        reservations.clear();
        reservations.add(new Promise(ONE, CLUSTER, ALICE, "hers", after));
    }

    private void happened(Type type, long at, ReservationId id, Standing after) {
        event(type, at, new OfReservation(id, after));
    }

    private void event(Type type, long at, About about) {
        events.add(new Recorded(CLUSTER, events.size() + 1, type, at, about));
    }

    private static OfOutage outage(int pes, long from) {
        return new OfOutage(new Outage(
                new OutageId(new UUID(0, 9)),
                CLUSTER,
                pes,
                Optional.empty(),
                from,
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty()));
    }

    private static Standing at(long start, long end) {
        return standing(ReservationState.CONFIRMED, 5, "3.00", start, end);
    }

    private static Standing on(PeSet pes) {
        return new Standing(
                ReservationState.CONFIRMED,
                Optional.empty(),
                "the terms",
                WINDOW,
                List.of(Part.whole(new Slot(1000, 1500), 3).on(pes)),
                dollars("3.00"));
    }

    private static Standing ended(ReservationState state, EndReason... reason) {
        return new Standing(
                state, List.of(reason).stream().findAny(), "the terms", WINDOW, CONFIRMED.parts(), dollars("0.00"));
    }

    private static Standing standing(ReservationState state, int pes, String price, long start, long end) {
        return new Standing(
                state,
                Optional.empty(),
                "the terms",
                WINDOW,
                List.of(Part.whole(new Slot(start, end), pes)),
                dollars(price));
    }

    private static Money dollars(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }
}
