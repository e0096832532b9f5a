package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static berth.engine.DeskSituation.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.engine.Answer.Done;
import berth.engine.Answer.NotDecided;
import berth.engine.Answer.OutcomeUnknown;
import berth.engine.Answer.Refused;
import berth.engine.MemoryLedger.Fault;
import berth.reservation.ClusterId;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** An account with limits cannot reserve more than they allow, on however many clusters it tries at the same time. */
class AccountLimitsTest extends DeskSituation {

    private static final ClusterId OTHER = new ClusterId("other");
    private static final List<String> CLUSTERS = List.of("tiny", "other");
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 200;

    AccountLimitsTest() {
        super(TINY, Cluster.of("other", 4));
    }

    @Test
    void onlyOneOfManyConcurrentRequestsGetsTheLastAllowance() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var answers = allAtOnce(limitedTo(1));

            assertThat(answers)
                    .as("round %d", round)
                    .filteredOn(Done.class::isInstance)
                    .hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> !(answer instanceof Done))
                    .allMatch(answer ->
                            answer instanceof Refused(var reason) && reason instanceof Rejection.LimitExceeded);
            for (var cluster : CLUSTERS) {
                for (var live :
                        desks.schedule(new ClusterId(cluster)).orElseThrow().reservations()) {
                    granted(desks.decide(new ClusterId(cluster), cancel(live)));
                }
            }
        }
    }

    @Test
    void reservationsOnOneClusterCountAgainstLimitsOnAnother() {
        var limits = new AccountLimits(OptionalInt.empty(), OptionalInt.of(5), OptionalLong.empty());
        granted(admission.admit(TINY.id(), booking(ALICE, 3, limits), Optional.empty()));

        assertThat(admission.admit(OTHER, booking(ALICE, 3, limits), Optional.empty()))
                .isInstanceOf(Refused.class);
        granted(admission.admit(OTHER, booking(BOB, 3, limits), Optional.empty()));
        granted(admission.admit(OTHER, booking(ALICE, 1, limits), Optional.empty()));
        assertThat(desks.limits().allowance(OTHER, ALICE, limits).elsewhere().reservations())
                .hasSize(1);
    }

    @Test
    void anAccountKeepsItsTurnUntilTheOutcomeOfItsBookingIsKnown() {
        restart(Duration.ofMillis(500));
        ledger.faults.add(Fault.ANSWER_LOST);
        ledger.resolveFailures = Integer.MAX_VALUE;
        var limits = limitedTo(1);
        assertThat(admission.admit(TINY.id(), booking(ALICE, 1, limits), Optional.empty()))
                .isInstanceOf(OutcomeUnknown.class);

        assertThat(admission.admit(OTHER, booking(ALICE, 1, limits), Optional.empty()))
                .isInstanceOfSatisfying(
                        NotDecided.class, answer -> assertThat(answer.why()).contains("same account"));
        granted(admission.admit(OTHER, booking(BOB, 1, limits), Optional.empty()));
        granted(admission.admit(OTHER, booking(ALICE, 1, AccountLimits.NONE), Optional.empty()));

        ledger.resolveFailures = 0;
        desks.catchUp();
        assertThat(admission.admit(OTHER, booking(ALICE, 1, limits), Optional.empty()))
                .isInstanceOf(Refused.class);
    }

    @Test
    void aRefusalOrAFailureEndsTheTurnOfAnAccount() {
        ledger.faults.add(Fault.FAILS);
        assertThat(admission.admit(TINY.id(), booking(ALICE, 1, limitedTo(1)), Optional.empty()))
                .isInstanceOf(NotDecided.class);
        assertThat(admission.admit(TINY.id(), booking(ALICE, 1, limitedTo(0)), Optional.empty()))
                .isInstanceOf(Refused.class);
        assertThat(admission.admit(TINY.id(), booking(ALICE, 5, limitedTo(1)), Optional.empty()))
                .isInstanceOf(Refused.class);

        granted(admission.admit(TINY.id(), booking(ALICE, 1, limitedTo(1)), Optional.empty()));
    }

    @Test
    void aRequestThatIsRepeatedUnderItsKeyDoesNotCountTwice() {
        var use = key(ALICE, "f");
        var first = reserved(admission.admit(TINY.id(), booking(ALICE, 1, limitedTo(1)), use));

        assertThat(reserved(admission.admit(TINY.id(), booking(ALICE, 1, limitedTo(1)), use)))
                .isEqualTo(first);
    }

    /** Sends bookings alternately to the two clusters. */
    private List<Answer> allAtOnce(AccountLimits limits) throws Exception {
        var together = new CyclicBarrier(CLIENTS);
        var answers = new ArrayList<Future<Answer>>();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int client = 0; client < CLIENTS; client++) {
                var cluster = CLUSTERS.get(client % CLUSTERS.size());
                answers.add(threads.submit(() -> {
                    together.await();
                    return admission.admit(new ClusterId(cluster), booking(ALICE, 1, limits), Optional.empty());
                }));
            }
        }
        return answers.stream().map(Future::resultNow).toList();
    }

    private static AccountLimits limitedTo(int activeReservations) {
        return new AccountLimits(OptionalInt.of(activeReservations), OptionalInt.empty(), OptionalLong.empty());
    }

    /** Returns a booking of a run at one o'clock. */
    private static Booking booking(AccountName owner, int pes, AccountLimits limits) {
        var terms = RequestedTerms.of(OptionalLong.of(ONE), OptionalLong.empty(), 60, pes);
        return new Booking(owner, limits, reserve(owner, terms));
    }
}
