package berth.scheduling.places;

import static berth.scheduling.LiveCluster.outage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Tariff;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.LiveCluster;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Alternatives.Alternative;
import berth.sla.QosScenario;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class AlternativesTest {

    private final LiveCluster cluster = LiveCluster.of(8);
    private final Request request = Request.of(9, 8, 10).ready(100).deadline(110);

    @Test
    void lieBeforeAndAfterTheReservationsInTheWay() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));

        assertThat(found(request, "1.5")).containsExactly(start("-0.8", 92), start("1.2", 112));
    }

    @Test
    void lieBeforeTheReadyTimesAndAfterTheDeadlinesToo() {
        // it could move, but nothing is here
        cluster.grant(Request.of(1, 8, 10).ready(95).deadline(120).start(105));

        // before 105 and after 115 by its place; before 95 and after 120 by its window
        assertThat(found(request, "2"))
                .containsExactly(start("-0.5", 95), start("1.5", 115), start("-1.5", 85), start("2.0", 120));
    }

    @Test
    void areEmptyBeyondTheAllowedDistance() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));

        assertThat(found(request, "0.8")).containsExactly(start("-0.8", 92));
        assertThat(found(request, "0.79")).isEmpty();
    }

    @Test
    void areAdmittedWithTheirOwnWindowAndNothingElseChanged() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));
        var asked = request.budget("5.00").fixAfter("0.5");

        for (var alternative : ask(asked, "2", 10).found()) {
            var terms = alternative.terms();
            assertThat(terms.deadline().getAsLong() - terms.readyTime().getAsLong())
                    .isEqualTo(10);
            assertThat(terms.budget()).isEqualTo(asked.terms().budget());
            assertThat(terms.fixing()).isEqualTo(asked.terms().fixing());
            var reserved = cluster.grant(asked.ready(terms.readyTime().getAsLong())
                    .deadline(terms.deadline().getAsLong()));
            assertThat(reserved.parts()).isEqualTo(alternative.offer().parts());
            assertThat(reserved.price()).isEqualTo(alternative.offer().price());
            cluster.grant(new Cancel(Request.target(9)));
        }
    }

    /** Beside the first reservation PE 1 is free, but if that one is replanned behind the newcomer, PE 0 remains. */
    @Test
    void nameTheirPesIfTheQueueIsReplanned() {
        var early = LiveCluster.of(SampleCluster.of(2)
                .bound(Binding.EARLY)
                .juggling(Juggling.ALWAYS, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        early.grant(Request.of(1, 1, 10).ready(20).deadline(100));
        early.grant(Request.of(2, 2, 40).ready(30).deadline(70));
        var asked = Request.of(9, 1, 10).ready(30).deadline(40);

        var nearest = new Alternatives(asked.terms(), Request.ADA, BigDecimal.ONE, 1)
                .ask(early.schedule(), 0)
                .found()
                .getFirst();

        early.happens(asked.ready(20).deadline(30).reserve());
        assertThat(early.peIds(9)).isEqualTo("0");
        assertThat(nearest.offer().parts()).isEqualTo(early.find(Request.id(9)).parts());
    }

    @Test
    void startNoEarlierThanNowAndEndNoLaterThanTheHorizon() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));
        cluster.at(93);
        assertThat(found(request, "9")).containsExactly(start("1.2", 112));

        var late = LiveCluster.of(8);
        late.grant(Request.of(1, 8, 10).ready(985).deadline(995));
        var asked =
                new Alternatives(Request.of(9, 8, 10).ready(986).deadline(996).terms(), Request.ADA, BigDecimal.TEN, 9);
        assertThat(asked.ask(late.schedule(), 0).found())
                .extracting(alternative -> alternative.offer().slot().start())
                .containsExactly(975L);
    }

    @Test
    void mayHaveAnyShapeOfAMoldableRun() {
        cluster.grant(Request.of(1, 4, 1000).ready(0));
        cluster.grant(Request.of(2, 4, 5).ready(100).deadline(105));
        var asked = Request.of(9, 8, 10).shapes("8:10 4:20").ready(100).deadline(110);

        var found = ask(asked, "2", 10).found();

        assertThat(found)
                .extracting(alternative -> alternative.offer().slot())
                .containsExactly(Slot.of(105, 20), Slot.of(80, 20));
        assertThat(found)
                .extracting(
                        alternative -> alternative.phi().stripTrailingZeros().toPlainString())
                .containsExactly("0.75", "-1");
        for (var alternative : found) {
            var terms = alternative.terms();
            var reserved = cluster.grant(asked.ready(terms.readyTime().getAsLong())
                    .deadline(terms.deadline().getAsLong()));
            assertThat(reserved.slot()).isEqualTo(alternative.offer().slot());
            cluster.grant(new Cancel(Request.target(9)));
        }
    }

    @Test
    void areNoLongerThanTheRunsThatTheClusterAllows() {
        var strict = LiveCluster.of(SampleCluster.of(8).maxDuration(15));
        strict.grant(Request.of(1, 8, 10).ready(100).deadline(110));

        assertThat(new Alternatives(
                                Request.of(9, 8, 10)
                                        .shapes("8:10 4:20")
                                        .ready(100)
                                        .deadline(110)
                                        .terms(),
                                Request.ADA,
                                BigDecimal.TEN,
                                9)
                        .ask(strict.schedule(), 0)
                        .found())
                .isNotEmpty()
                .allSatisfy(
                        alternative -> assertThat(alternative.terms().deadline().getAsLong()
                                        - alternative.terms().readyTime().getAsLong())
                                .isLessThanOrEqualTo(15));
    }

    @Test
    void theSlackOfARequestGoesAlong() {
        cluster.grant(Request.of(1, 8, 20).ready(100).deadline(120));
        var asked = Request.of(9, 8, 10).ready(100).deadline(115);

        var found = ask(asked, "3", 10).found();

        assertThat(found)
                .extracting(alternative -> alternative.offer().slot())
                .containsExactly(Slot.of(90, 10), Slot.of(120, 10));
        assertThat(found)
                .extracting(
                        alternative -> alternative.phi().stripTrailingZeros().toPlainString())
                .containsExactly("-1", "1.5");
        for (var alternative : found) {
            long start = alternative.offer().slot().start();
            assertThat(alternative.start()).hasValue(start);
            assertThat(alternative.terms().readyTime()).hasValue(start);
            assertThat(alternative.terms().deadline()).hasValue(start + 15);
            var reserved = cluster.grant(asked.ready(start).deadline(start + 15).start(start));
            assertThat(reserved.terms().scenario()).isEqualTo(QosScenario.INTERVAL);
            assertThat(reserved.parts()).isEqualTo(alternative.offer().parts());
            assertThat(reserved.price()).isEqualTo(alternative.offer().price());
            cluster.grant(new Cancel(Request.target(9)));
        }
    }

    @Test
    void aRunWithSlackMovesInTheWindowOfItsAlternative() {
        var juggling =
                LiveCluster.of(SampleCluster.of(8).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
        juggling.grant(Request.of(1, 8, 20).ready(100).deadline(120));
        var asked = Request.of(9, 8, 10).ready(100).deadline(115);
        var after = new Alternatives(asked.terms(), Request.ADA, new BigDecimal("1.5"), 10)
                .ask(juggling.schedule(), 0).found().stream()
                        .filter(one -> one.phi().signum() > 0)
                        .findFirst()
                        .orElseThrow();
        juggling.grant(new Reserve(
                Request.id(9), asked.reserve().origin(), after.terms(), after.start(), OptionalLong.empty()));

        juggling.happens(Request.of(2, 8, 5).ready(120).deadline(125).reserve());

        assertThat(juggling.find(Request.id(9)).slot()).isEqualTo(Slot.of(125, 10));
    }

    @Test
    void theSlackOfARequestWithAChosenStartGoesAlong() {
        cluster.grant(Request.of(1, 8, 10).ready(100).deadline(110));
        var asked = Request.of(9, 8, 10).ready(90).deadline(115);

        var found = new Alternatives(asked.terms(), OptionalLong.of(100), Request.ADA, 0, true, BigDecimal.ONE, 10)
                .ask(cluster.schedule(), 0)
                .found();

        assertThat(found)
                .extracting(alternative -> alternative.start().orElseThrow())
                .containsExactly(110L, 90L);
        assertThat(found)
                .extracting(alternative -> alternative.terms().deadline().orElseThrow())
                .containsExactly(135L, 115L);
    }

    @Test
    void slackGoesAlongUpToTheHorizon() {
        cluster.grant(Request.of(1, 8, 20).ready(960).deadline(980));

        var found = ask(Request.of(9, 8, 10).ready(960).deadline(985), "3", 10).found();

        assertThat(found.getFirst().start()).hasValue(980);
        assertThat(found.getFirst().terms().deadline()).hasValue(1000);
    }

    @Test
    void noSlackGoesAlongWithAPlaceThatIsFinalAtOnce() {
        cluster.grant(Request.of(1, 8, 20).ready(100).deadline(120));

        var found = ask(Request.of(9, 8, 10).ready(100).deadline(115).fixAfter("0"), "3", 10)
                .found();

        assertThat(found).hasSize(2);
        assertThat(found).extracting(Alternative::start).containsOnly(OptionalLong.empty());
        assertThat(found.getFirst().terms().deadline()).hasValue(100);
    }

    @Test
    void slackMakesAnAlternativeAffordable() {
        var hourly = LiveCluster.of(SampleCluster.of(8).tariff(Tariff.STANDARD).horizon(100_000));
        hourly.grant(Request.of(1, 8, 7_200).ready(20_000).deadline(27_200));
        var asked = Request.of(9, 8, 3_600).ready(20_000).deadline(25_400);

        var offer = nearest(hourly, asked).orElseThrow().offer();

        assertThat(offer.fixedPrice().exceeds(offer.price())).isTrue();
        assertThat(nearest(hourly, asked.budget(offer.price()))).isPresent();
    }

    private static Optional<Alternative> nearest(LiveCluster cluster, Request asked) {
        return new Alternatives(asked.terms(), Request.ADA, new BigDecimal("3"), 1)
                .ask(cluster.schedule(), 0).found().stream().findFirst();
    }

    @Test
    void lieAroundOutages() {
        cluster.lose(outage(1, 1, 90, 130));

        assertThat(found(request, "3")).containsExactly(start("-2.0", 80), start("3.0", 130));
    }

    @Test
    void costNoMoreThanTheBudget() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));

        assertThat(found(request.budget("0.80"), "2")).hasSize(2);
        assertThat(found(request.budget("0.79"), "2")).isEmpty();
    }

    @Test
    void areSortedByDistanceAndMarkedAsTruncated() {
        cluster.grant(Request.of(1, 8, 10).ready(102).deadline(112));

        assertThat(ask(request, "2", 2).truncated()).isFalse();
        var first = ask(request, "2", 1);
        assertThat(first.found()).extracting(AlternativesTest::tupleOf).containsExactly(start("-0.8", 92));
        assertThat(first.truncated()).isTrue();
    }

    @Test
    void areEmptyIfTheClusterNeverAdmitsTheRequest() {
        assertThat(found(Request.of(9, 9, 10).ready(100).deadline(110), "9")).isEmpty();
        assertThat(found(Request.of(9, 8, 10).ready(100).deadline(109), "9")).isEmpty();
    }

    @Test
    void changeNothingAndAreAllAdmitted() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var busy = LiveCluster.of(4);
            for (int i = 1; i < 15; i++) {
                long ready = random.nextInt(60);
                long duration = 1 + random.nextInt(15);
                var filler = Request.of(i, 1 + random.nextInt(4), duration)
                        .ready(ready)
                        .deadline(ready + duration + random.nextInt(10));
                if (filler.reserve().decide(new Basis(busy.schedule(), 0)) instanceof Decision.Accepted) {
                    busy.happens(filler.reserve());
                }
            }
            long ready = random.nextInt(60);
            var asked = Request.of(99, 1 + random.nextInt(4), 5).ready(ready).deadline(ready + 5 + random.nextInt(3));
            var before = busy.schedule();
            var answer = new Alternatives(asked.terms(), Request.ADA, new BigDecimal("3"), 50).ask(before, 0);

            assertThat(answer.found())
                    .isSortedAccordingTo((one, other) ->
                            one.phi().abs().compareTo(other.phi().abs()));
            for (var alternative : answer.found()) {
                var there = alternative.offer().slot();
                var window = asked.terms();
                long missed = there.start() < window.readyTime().getAsLong()
                        ? there.start() - window.readyTime().getAsLong()
                        : there.end() - window.deadline().getAsLong();
                assertThat(alternative.phi())
                        .isEqualByComparingTo(BigDecimal.valueOf(missed, 0).divide(BigDecimal.valueOf(5)));
                assertThat(asked.ready(there.start())
                                .deadline(there.end())
                                .reserve()
                                .decide(new Basis(before, 0)))
                        .isInstanceOf(Decision.Accepted.class);
            }
        }
    }

    private Alternatives.Answer ask(Request asked, String maxPhi, int limit) {
        var before = cluster.schedule();
        var answer =
                new Alternatives(asked.terms(), Request.ADA, new BigDecimal(maxPhi), limit).ask(before, cluster.now());
        assertThat(cluster.schedule()).isEqualTo(before);
        return answer;
    }

    private List<Tuple> found(Request asked, String maxPhi) {
        return ask(asked, maxPhi, 20).found().stream()
                .map(AlternativesTest::tupleOf)
                .toList();
    }

    private static Tuple tupleOf(Alternative alternative) {
        assertThat(alternative.offer().withinBudget()).isTrue();
        assertThat(alternative.offer().slot())
                .isEqualTo(Slot.of(alternative.offer().slot().start(), 10));
        return tuple(
                alternative.phi().stripTrailingZeros().toPlainString(),
                alternative.offer().slot().start());
    }

    private static Tuple start(String phi, long start) {
        return tuple(new BigDecimal(phi).stripTrailingZeros().toPlainString(), start);
    }
}
