package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.outcome.Outcome;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offers;
import berth.time.Slot;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The seven policies on 8 PEs of which 5 are free from second 0, 2 from 10, 8 from 30, 4 from 38, 6 from 60, and none from 100. */
class PlacementPolicyTest {

    private static LiveCluster cluster(PlacementPolicy policy, Binding binding) {
        var cluster = LiveCluster.of(SampleCluster.of(8).placement(policy).bound(binding));
        cluster.grant(Request.of(101, 3, 10).start(0));
        cluster.grant(Request.of(102, 6, 20).start(10));
        cluster.grant(Request.of(103, 4, 22).start(38));
        cluster.grant(Request.of(104, 2, 40).start(60));
        cluster.grant(Request.of(105, 8, 800).start(100));
        return cluster;
    }

    private static LiveCluster cluster(PlacementPolicy policy) {
        return cluster(policy, Binding.LATE);
    }

    private static final Request WANTED = Request.of(1, 2, 5).deadline(200);

    static Stream<Arguments> choices() {
        return Stream.of(Binding.values())
                .flatMap(binding -> Stream.of(
                        Arguments.of(binding, PlacementPolicy.FIRST_FIT, 0),
                        Arguments.of(binding, PlacementPolicy.PE_BEST_FIT, 10),
                        Arguments.of(binding, PlacementPolicy.PE_WORST_FIT, 30),
                        Arguments.of(binding, PlacementPolicy.DURATION_BEST_FIT, 30),
                        Arguments.of(binding, PlacementPolicy.DURATION_WORST_FIT, 10),
                        Arguments.of(binding, PlacementPolicy.PE_DURATION_BEST_FIT, 0),
                        Arguments.of(binding, PlacementPolicy.PE_DURATION_WORST_FIT, 38)));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void eachPolicyChoosesItsOwnStart(Binding binding, PlacementPolicy policy, long start) {
        var cluster = cluster(policy, binding);
        var offers = ((Outcome.Done<Offers, Rejection>) cluster.ask(WANTED.probe(20)))
                .value()
                .offers();

        assertThat(cluster.grant(WANTED).slot()).isEqualTo(new Slot(start, start + 5));
        assertThat(offers)
                .filteredOn(Probe.Offer::chosen)
                .singleElement()
                .returns(start, offer -> offer.slot().start());
    }

    @ParameterizedTest
    @EnumSource(PlacementPolicy.class)
    void aChosenStartIsTakenWhateverThePolicy(PlacementPolicy policy) {
        assertThat(cluster(policy).grant(WANTED.start(61)).slot().start()).isEqualTo(61);
    }

    @ParameterizedTest
    @EnumSource(PlacementPolicy.class)
    void everyPolicyRejectsARequestThatFitsNowhere(PlacementPolicy policy) {
        assertThat(cluster(policy).refuse(Request.of(1, 7, 9).deadline(200))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void theBudgetLimitsTheChoiceToTheStartsThatItAllows() {
        var cluster = cluster(PlacementPolicy.PE_DURATION_BEST_FIT);

        // 10 cents at 0 and one less each second: the first affordable start is the first that is tried
        assertThat(cluster.grant(WANTED.budget("0.06")).slot().start()).isEqualTo(4);
        assertThat(cluster(PlacementPolicy.PE_WORST_FIT)
                        .grant(WANTED.budget("0.06"))
                        .slot()
                        .start())
                .isEqualTo(30);
        assertThat(cluster.refuse(Request.of(2, 2, 5).deadline(200).budget("0.04")))
                .isEqualTo(new Rejection.OverBudget(Request.usd("0.10"), Request.usd("0.04")));
    }

    @Test
    void theLeadTimePassesBeforeTheFirstCandidate() {
        var cluster = LiveCluster.of(SampleCluster.of(8)
                .placement(PlacementPolicy.DURATION_WORST_FIT)
                .leadTime(7));

        assertThat(cluster.grant(WANTED).slot().start()).isEqualTo(7);
    }

    @Test
    void aChangeHoldsForLaterDecisions() {
        var cluster = cluster(PlacementPolicy.FIRST_FIT);
        cluster.grant(WANTED);
        cluster.change(SampleCluster.like(cluster.schedule().cluster()).placement(PlacementPolicy.PE_BEST_FIT));

        assertThat(cluster.grant(Request.of(2, 2, 5).deadline(200)).slot().start())
                .isEqualTo(10);
        assertThat(cluster.slot(1).start()).isZero();
    }

    @Test
    void aRenegotiationThatCannotStayGoesWhereThePolicyChooses() {
        var cluster = cluster(PlacementPolicy.PE_WORST_FIT);
        var first = cluster.grant(WANTED.start(0));

        var longer = cluster.grant(Request.like(first).pes(4).duration(12).renegotiate());

        // the time with 8 free PEs is too short for it; 6 are free from 60
        assertThat(longer.slot()).isEqualTo(new Slot(60, 72));
    }

    @Test
    void aRenegotiationThatCanStayIsNotMoved() {
        var cluster = cluster(PlacementPolicy.PE_WORST_FIT);
        var first = cluster.grant(WANTED.start(0));

        assertThat(cluster.grant(Request.like(first).duration(10).renegotiate()).slot())
                .isEqualTo(new Slot(0, 10));
    }

    @Test
    void thePolicyChoosesTheNewPlaceAfterALossOfPes() {
        var cluster = cluster(PlacementPolicy.PE_BEST_FIT);
        cluster.grant(WANTED.start(61));

        cluster.lose(LiveCluster.outage(1, 8, 60, 100));

        assertThat(cluster.slot(1)).isEqualTo(new Slot(10, 15));
    }
}
