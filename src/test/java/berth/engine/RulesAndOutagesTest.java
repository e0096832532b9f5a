package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Admission;
import berth.cluster.AvailabilityRules;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.engine.Answer.Done;
import berth.engine.Answer.Refused;
import berth.pricing.Tariff;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Rejection;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.EndOutage;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.RecordOutage;
import berth.scheduling.commands.Reserve;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Outages, changed clusters and claims go through the desk like reservations. */
class RulesAndOutagesTest extends DeskSituation {

    private static final long CLAIM_WITHIN = 300;
    private static final Cluster CLAIMED = changed(
            Cluster.of("claimed", 4),
            4,
            Policy.STANDARD
                    .with("placement", PlacementPolicy.FIRST_FIT)
                    .with("replanning", Replanning.of(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST))
                    .with("horizon", 86_400)
                    .with("notice", 900)
                    .with("claimWithin", OptionalLong.of(CLAIM_WITHIN))
                    .with("alternativesMaxPhi", BigDecimal.ONE)
                    .with("availability", AvailabilityRules.STANDARD));

    RulesAndOutagesTest() {
        super(TINY, CLAIMED);
    }

    @Test
    void aChangedClusterIsRecordedAndSeenByAll() {
        var smaller = changed(TINY, 3, Policy.STANDARD);

        assertThat(granted(desks.decide(TINY.id(), new ChangeCluster(TINY, smaller)))
                        .reservation())
                .isEmpty();

        var now = smaller.inVersion(smaller.version() + 1);
        assertThat(desks.clusters()).containsExactly(CLAIMED, now);
        assertThat(schedule().cluster()).isEqualTo(now);
        assertThat(desks.decide(TINY.id(), reserve(4, 60)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isInstanceOf(Rejection.NeverFits.class));
        restart(PATIENCE);
        assertThat(schedule().cluster()).isEqualTo(now);
    }

    @Test
    void eachChangeMakesANewVersion() {
        granted(desks.decide(TINY.id(), new ChangeCluster(TINY, changed(TINY, 5, Policy.STANDARD))));
        var first = schedule().cluster();
        granted(desks.decide(TINY.id(), new ChangeCluster(first, changed(TINY, 6, Policy.STANDARD))));
        var second = schedule().cluster();
        granted(desks.decide(TINY.id(), new ChangeCluster(second, changed(TINY, 6, Policy.STANDARD))));

        assertThat(second).isEqualTo(changed(TINY, 6, Policy.STANDARD).inVersion(2));
        assertThat(history()).hasSize(2);
    }

    @Test
    void oneOfTwoChangesOfTheSameVersionIsRejected() throws Exception {
        var answers = inOneBatch(List.of(
                Asked.of(new ChangeCluster(TINY, changed(TINY, 5, Policy.STANDARD))),
                Asked.of(new ChangeCluster(TINY, changed(TINY, 6, Policy.STANDARD)))));

        assertThat(answers.getFirst()).isInstanceOf(Done.class);
        assertThat(answers.getLast()).isEqualTo(new Refused(new Rejection.StaleVersion(1)));
        assertThat(schedule().cluster().pes()).isEqualTo(5);
    }

    @Test
    void anOutageTakesPesUntilTheClockEndsIt() {
        var running = reserved(desks.decide(TINY.id(), reserveNow(3, 3600)));
        var outage = outage(granted(desks.decide(TINY.id(), outage(2, OptionalLong.of(NOW + 1800)))));
        assertThat(outage.failed()).isEmpty();
        assertThat(ledger.find(running.id()).orElseThrow().lacksPes()).isTrue();
        assertThat(schedule().outages()).containsExactly(outage);

        restart(PATIENCE);
        assertThat(schedule().outages()).containsExactly(outage);
        assertThat(desks.decide(TINY.id(), reserveNow(3, 60))).isInstanceOf(Refused.class);
        clock.advance(Duration.ofMinutes(30));
        desks.catchUp();

        assertThat(history()).contains(new OutageEvent(Event.Type.OUTAGE_ENDED, outage.ended(NOW + 1800), NOW + 1800));
        assertThat(schedule().outages()).isEmpty();
        assertThat(ledger.find(running.id()).orElseThrow().lacksPes()).isFalse();
        granted(desks.decide(TINY.id(), reserveNow(1, 60)));
    }

    @Test
    void anOperatorEndsAnOutageThatHasNoEnd() {
        var outage = outage(granted(desks.decide(TINY.id(), outage(4, OptionalLong.empty()))));
        clock.advance(Duration.ofDays(1));
        desks.catchUp();
        assertThat(schedule().outages()).containsExactly(outage);

        granted(desks.decide(TINY.id(), new EndOutage(outage.id())));

        assertThat(desks.decide(TINY.id(), new EndOutage(outage.id())))
                .isEqualTo(new Refused(new Rejection.OutageOver(outage.id())));
        granted(desks.decide(TINY.id(), reserveNow(4, 60)));
    }

    @Test
    void aRepeatedKeyReturnsTheOutageAsItWasRecorded() {
        var use = key(new AccountName("root"), "f");
        var first = outage(granted(desks.decide(TINY.id(), outage(2, OptionalLong.empty()), use)));

        assertThat(outage(granted(desks.decide(TINY.id(), outage(2, OptionalLong.empty()), use))))
                .isEqualTo(first);
        granted(desks.decide(TINY.id(), new EndOutage(first.id())));
        assertThat(outage(granted(desks.decide(TINY.id(), outage(2, OptionalLong.empty()), use))))
                .isEqualTo(first);
        assertThat(schedule().outages()).isEmpty();
        assertThat(history())
                .extracting(Event::type)
                .containsExactly(Event.Type.OUTAGE_RECORDED, Event.Type.OUTAGE_ENDED);
    }

    @Test
    void aCommandThatChangesNothingSucceedsWithoutAnEvent() {
        var near = reserved(desks.decide(TINY.id(), reserveNear()));
        int batches = ledger.recorded.size();

        var done = granted(desks.decide(TINY.id(), new Fix(target(near), Fix.Wish.OWNERS)));

        assertThat(done.events()).isEmpty();
        assertThat(done.reservation()).isEmpty();
        assertThat(granted(desks.decide(TINY.id(), new ChangeCluster(TINY, TINY)))
                        .events())
                .isEmpty();
        assertThat(ledger.recorded).hasSize(batches);
    }

    @Test
    void aKeyOfACommandWithoutEventsNeverReturnsTheEventsOfOthers() throws Exception {
        var near = reserved(desks.decide(TINY.id(), reserveNear()));
        var fix = new Asked(new Fix(target(near), Fix.Wish.OWNERS), key(ALICE, "f"));

        var together = inOneBatch(List.of(Asked.of(reserve(1, 60)), fix));

        assertThat(granted(together.getLast()).events()).isEmpty();
        assertThat(granted(desks.decide(TINY.id(), fix.command(), fix.key())).events())
                .isEmpty();
    }

    @Test
    void theClockReleasesReservationsThatNobodyClaimsInTime() {
        var unclaimed = reserved(desks.decide(CLAIMED.id(), reserveNow(2, 3600)));
        var claimed = reserved(desks.decide(CLAIMED.id(), reserveNow(2, 3600)));
        desks.catchUp();
        granted(desks.decide(CLAIMED.id(), new Claim(target(claimed))));

        restart(PATIENCE);
        clock.advance(Duration.ofSeconds(CLAIM_WITHIN));
        desks.catchUp();

        assertThat(ledger.history(CLAIMED.id()).getLast()).satisfies(event -> {
            assertThat(event.type()).isEqualTo(Event.Type.RELEASED);
            assertThat(event.at()).isEqualTo(NOW + CLAIM_WITHIN);
            assertThat(reservation(event).id()).isEqualTo(unclaimed.id());
        });
        assertThat(ledger.find(claimed.id()).orElseThrow().state()).isEqualTo(ReservationState.RUNNING);
    }

    /** Returns a request whose place is final at once because it starts within the notice. */
    private static Reserve reserveNear() {
        return reserve(RequestedTerms.of(OptionalLong.of(NOW + 60), OptionalLong.of(NOW + 120), 60, 1));
    }

    private static RecordOutage outage(int pes, OptionalLong to) {
        return new RecordOutage(
                new OutageId(UUID.randomUUID()),
                pes,
                Optional.empty(),
                OptionalLong.empty(),
                to,
                Optional.of("as the test wants it"));
    }

    private static Outage outage(Done done) {
        return ((OutageEvent) done.events().getLast()).outage();
    }

    private static Cluster changed(Cluster cluster, int pes, Policy policy) {
        return cluster.with("pes", pes)
                .with("nodes", Nodes.SINGLE_PES)
                .with("rating", BigDecimal.ONE)
                .with("labels", Map.of())
                .with("binding", Binding.LATE)
                .with("admission", Admission.OPEN)
                .with("policy", policy)
                .with("tariff", Tariff.STANDARD);
    }
}
