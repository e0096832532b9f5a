package berth.scheduling;

import static berth.scheduling.LiveCluster.outage;
import static berth.scheduling.Request.id;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.pricing.Tariff;
import berth.reservation.MoveHistory;
import berth.reservation.ReservationState;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.PullForward;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Reservations are moved no more often and no further than agreed. Four PEs; numbers name the reservations. */
class BoundedMovesTest {

    private static final MoveBounds NO_BOUNDS = MoveBounds.NONE;

    /** A dollar per second, with the standard discounts. */
    private static final Tariff TARIFF = Tariff.STANDARD.with("pricePerPeHour", new BigDecimal("3600"));

    private static SampleCluster sample(Juggling juggling) {
        return SampleCluster.of(4).tariff(TARIFF).juggling(juggling, ReplanOrder.EARLIEST_DEADLINE_FIRST);
    }

    private LiveCluster cluster = LiveCluster.of(sample(Juggling.LEAST_MOVES).movingEachAtMost(3));

    /** Blocks all PEs from then on for ten seconds, with a reservation that stays. */
    private void block(int number, long start) {
        cluster.happens(at(number, start).reserve());
    }

    private static Request at(int number, long start) {
        return Request.of(number, 4, 10).ready(start).deadline(start + 10);
    }

    private int moves(int number) {
        return cluster.find(id(number)).status().moves().count();
    }

    private static Request free(int number) {
        return Request.of(number, 4, 10).ready(20).deadline(100);
    }

    @ParameterizedTest
    @EnumSource(value = Juggling.class, mode = Mode.EXCLUDE, names = "NEVER")
    void aReservationThatWasMovedAsOftenAsAgreedStays(Juggling juggling) {
        cluster = LiveCluster.of(sample(juggling).movingEachAtMost(2));
        cluster.grant(free(1));

        block(2, 20);
        block(3, 30);

        assertThat(cluster.slot(1)).isEqualTo(new Slot(40, 50));
        assertThat(moves(1)).isEqualTo(2);
        assertThat(cluster.find(id(1)).isMovable(0)).isFalse();
        assertThat(cluster.refuse(at(4, 40))).isEqualTo(new Rejection.NoSlot());
        assertThat(cluster.schedule().canMove(cluster.find(id(1)), 0)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = Juggling.class, mode = Mode.EXCLUDE, names = "NEVER")
    void theBoundOfTheOwnerAloneIsEnough(Juggling juggling) {
        cluster = LiveCluster.of(sample(juggling));
        cluster.grant(free(1).maxMoves(2));

        block(2, 20);
        block(3, 30);

        assertThat(moves(1)).isEqualTo(2);
        assertThat(cluster.refuse(at(4, 40))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void theTighterBoundsOfTheRequestAndTheClusterAreAgreed() {
        cluster = LiveCluster.of(
                sample(Juggling.LEAST_MOVES).promising(new MoveBounds(OptionalInt.of(2), OptionalLong.of(30)), "0"));

        assertThat(cluster.grant(free(1)).terms().mobility())
                .isEqualTo(new MoveBounds(OptionalInt.of(2), OptionalLong.of(30)));
        assertThat(cluster.grant(free(2).maxMoves(1).maxShift(40)).terms().mobility())
                .isEqualTo(new MoveBounds(OptionalInt.of(1), OptionalLong.of(30)));
        assertThat(cluster.grant(free(3).maxMoves(7).maxShift(5)).terms().mobility())
                .isEqualTo(new MoveBounds(OptionalInt.of(2), OptionalLong.of(5)));
    }

    @Test
    void aReservationKeepsTheBoundsThatItAgreedUnderOtherRules() {
        var agreed = cluster.grant(free(1));

        cluster.change(sample(Juggling.LEAST_MOVES).movingEachAtMost(1));

        assertThat(cluster.find(id(1)).terms()).isEqualTo(agreed.terms());
        var longer = cluster.grant(Request.like(agreed).deadline(150).renegotiate());
        assertThat(longer.terms().mobility()).isEqualTo(agreed.terms().mobility());
        assertThat(longer.price().exceeds(agreed.price())).isFalse();
        assertThat(cluster.grant(free(2)).terms().mobility().maxMoves()).hasValue(1);
    }

    @Test
    void allMovesTogetherShiftAReservationNoFurtherThanAgreed() {
        cluster.grant(free(1).maxShift(20));

        block(2, 20);
        block(3, 30);

        assertThat(cluster.slot(1)).isEqualTo(new Slot(40, 50));
        assertThat(cluster.find(id(1)).mayLieIn().deadline()).isEqualTo(50);
        assertThat(cluster.refuse(at(4, 40))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void aRenegotiationResetsTheShiftButNotTheNumberOfMoves() {
        cluster.grant(free(1).maxShift(20));
        block(2, 20);
        block(3, 30);

        var agreed =
                cluster.grant(Request.like(cluster.find(id(1))).budget("900").renegotiate());

        assertThat(agreed.status().moves()).isEqualTo(new MoveHistory(2, Optional.empty()));
        block(4, 40);
        assertThat(cluster.slot(1)).isEqualTo(new Slot(50, 60));
        assertThat(moves(1)).isEqualTo(3);
        assertThat(cluster.refuse(at(5, 50))).isEqualTo(new Rejection.NoSlot());
    }

    @Test
    void aMoveForwardNeitherCountsNorBringsAReservationCloserThanAgreed() {
        cluster = LiveCluster.of(
                sample(Juggling.NEVER).movingEachAtMost(1).replanning(rules -> rules.pullingForward(true)));
        block(1, 20);
        cluster.grant(free(2));
        cluster.grant(Request.of(3, 4, 10).ready(20).deadline(200).maxShift(5));
        var before = cluster.schedule();

        cluster.grant(new Cancel(Request.target(1)));
        cluster.happens(new PullForward(before));

        assertThat(cluster.slot(2)).isEqualTo(new Slot(20, 30));
        assertThat(cluster.slot(3)).isEqualTo(new Slot(35, 45));
        assertThat(moves(2)).isZero();
        assertThat(moves(3)).isZero();
    }

    @Test
    void aReservationAtItsBoundIsNotPulledForward() {
        cluster = LiveCluster.of(
                sample(Juggling.LEAST_MOVES).movingEachAtMost(1).replanning(rules -> rules.pullingForward(true)));
        cluster.grant(free(1));
        block(2, 20);
        var before = cluster.schedule();

        cluster.grant(new Cancel(Request.target(2)));

        assertThat(cluster.happens(new PullForward(before))).isEmpty();
        assertThat(cluster.slot(1)).isEqualTo(new Slot(30, 40));
    }

    @Test
    void aReservationAtItsBoundStillMovesIfItLosesItsPes() {
        cluster = LiveCluster.of(sample(Juggling.LEAST_MOVES).movingEachAtMost(1));
        cluster.grant(free(1));
        block(2, 20);

        var outage = cluster.lose(outage(1, 1, 30, 50));

        assertThat(outage.moved()).containsExactly(id(1));
        assertThat(cluster.slot(1)).isEqualTo(new Slot(50, 60));
        assertThat(moves(1)).isEqualTo(2);
    }

    @Test
    void aReservationThatLosesItsPesExceedsItsShiftOnlyIfItMust() {
        cluster = LiveCluster.of(SampleCluster.of(4).juggling(Juggling.NEVER, ReplanOrder.FIFO));
        cluster.grant(Request.of(1, 4, 10)
                .ready(0)
                .deadline(100)
                .start(40)
                .fixAfter("1")
                .maxShift(10));
        cluster.grant(Request.of(2, 4, 10)
                .ready(0)
                .deadline(100)
                .start(60)
                .fixAfter("1")
                .maxShift(5));

        cluster.lose(outage(1, 1, 40, 50));
        cluster.lose(outage(2, 1, 55, 75));

        // the first fits would be at 0
        assertThat(cluster.slot(1)).isEqualTo(new Slot(30, 40));
        assertThat(cluster.slot(2)).isEqualTo(new Slot(0, 10));
    }

    @Test
    void aReservationThatAllowsNoMoveHasAFinalPlaceAtTheFullPrice() {
        var mine = cluster.grant(free(1).maxMoves(0));

        assertThat(mine.isMovable(0)).isFalse();
        assertThat(mine.placement().fixesAt()).isZero();
        assertThat(mine.price()).isEqualTo(price(free(2).fixAfter("0")));
        assertThat(cluster.lose(outage(1, 1, 20, 50)).failed()).containsExactly(id(1));
    }

    /** Returns the price of a request on an empty cluster with these bounds. */
    private static Money price(SampleCluster sample, Request request) {
        return LiveCluster.of(sample).grant(request).price();
    }

    private static Money price(Request request) {
        return price(sample(Juggling.NEVER).movingEachAtMost(3), request);
    }

    @Test
    void fewerMovesEarnASmallerShareOfTheDiscounts() {
        var all = discount(free(1));

        assertThat(discount(free(1).maxMoves(3))).isEqualByComparingTo(all);
        assertThat(discount(free(1).maxMoves(9))).isEqualByComparingTo(all);
        assertThat(discount(free(1).maxMoves(0))).isZero();
        // one move of three: 1/2 of 3/4
        assertThat(discount(free(1).maxMoves(1)).doubleValue()).isCloseTo(all.doubleValue() * 2 / 3, within());
        assertThat(discount(free(1).maxMoves(2)).doubleValue()).isCloseTo(all.doubleValue() * 8 / 9, within());
        var unbounded = price(sample(Juggling.NEVER), free(1).maxMoves(1));
        assertThat(full().subtract(unbounded.amount()).doubleValue()).isCloseTo(all.doubleValue() / 2, within());
    }

    private static Offset<Double> within() {
        return Offset.offset(0.011);
    }

    private static BigDecimal discount(Request request) {
        return full().subtract(price(request).amount());
    }

    private static BigDecimal full() {
        return price(free(1).fixAfter("0")).amount();
    }

    @Test
    void aBoundOnTheShiftCountsAsThatMuchSlack() {
        var sample = sample(Juggling.NEVER);

        assertThat(price(sample, free(1).maxShift(15)))
                .isEqualTo(price(sample, free(1).deadline(45)))
                .isNotEqualTo(price(sample, free(1)));
        assertThat(price(sample, free(1).maxShift(70))).isEqualTo(price(sample, free(1)));
        assertThat(price(sample, free(1).maxShift(0))).isEqualTo(price(sample, free(1).fixAfter("0")));
        assertThat(price(sample.promising(new MoveBounds(OptionalInt.empty(), OptionalLong.of(15)), "0"), free(1)))
                .isEqualTo(price(sample, free(1).maxShift(15)));
    }

    @Test
    void aLateStartEarnsNothingBeyondTheShift() {
        var sample = sample(Juggling.NEVER);
        var late = Request.of(1, 4, 10).ready(20).deadline(300).start(120).fixAfter("1");

        assertThat(price(sample, late.maxShift(0)).amount()).isEqualByComparingTo(full());
    }

    @Test
    void otherTermsArePricedByTheMovesThatAreLeft() {
        cluster = LiveCluster.of(sample(Juggling.LEAST_MOVES).movingEachAtMost(1));
        var agreed = cluster.grant(free(1));
        block(2, 20);
        var moved = cluster.find(id(1));

        var looser = cluster.grant(Request.like(moved).deadline(900).renegotiate());

        assertThat(looser.price()).isEqualTo(moved.price());
        assertThat(price(sample(Juggling.NEVER), free(1).deadline(900)).exceeds(agreed.price()))
                .isFalse();
    }

    @Test
    void fewerMovesAreTighterTerms() {
        var agreed = cluster.grant(free(1));

        var tighter = cluster.grant(Request.like(agreed).maxMoves(1).renegotiate());
        var looser = cluster.grant(Request.like(tighter).maxMoves(2).renegotiate());

        assertThat(tighter.price().exceeds(agreed.price())).isTrue();
        assertThat(tighter.price().exceeds(looser.price())).isTrue();
        assertThat(cluster.grant(Request.like(looser).maxShift(10).renegotiate())
                        .price()
                        .exceeds(looser.price()))
                .isTrue();
    }

    @Test
    void eachMoveThatCountsTakesTheRebateOffThePrice() {
        cluster = LiveCluster.of(sample(Juggling.LEAST_MOVES).promising(NO_BOUNDS, "0.5"));
        var plain = LiveCluster.of(sample(Juggling.LEAST_MOVES));
        for (var one : List.of(cluster, plain)) {
            one.grant(free(1));
            one.happens(at(2, 20).reserve());
        }

        var full = plain.find(id(1)).price().amount();

        assertThat(cluster.find(id(1)).price().amount().doubleValue()).isCloseTo(full.doubleValue() / 2, within());
    }

    @Test
    void theRebateIsNeverMoreThanThePrice() {
        cluster = LiveCluster.of(sample(Juggling.LEAST_MOVES).promising(NO_BOUNDS, "1"));
        cluster.grant(free(1));

        block(2, 20);
        block(3, 30);

        assertThat(cluster.find(id(1)).price().amount()).isZero();
        assertThat(cluster.find(id(1)).state()).isEqualTo(ReservationState.CONFIRMED);
    }

    @Test
    void boundsNeedFreedom() {
        assertThat(cluster.refusedField(Request.of(1, 4, 10).maxMoves(1))).isEqualTo("mobility");
        assertThat(cluster.refusedField(Request.of(1, 4, 10).maxShift(1))).isEqualTo("mobility");

        var strict = cluster.grant(Request.of(1, 4, 10).ready(20));
        assertThat(cluster.grant(Request.like(strict).noDeadline().duration(9).renegotiate())
                        .slot())
                .isEqualTo(new Slot(20, 29));
    }

    /** Returns which of two reservations with equal deadlines moves for a third. */
    private static int whoMoves(SampleCluster sample, Request one, Request other) {
        var cluster = LiveCluster.of(sample);
        cluster.grant(one);
        cluster.grant(other);
        cluster.happens(at(3, 20).pes(2).reserve());
        return cluster.slot(1).start() == 20 ? 2 : 1;
    }

    private static Request half(int number) {
        return Request.of(number, 2, 10).ready(20).deadline(60);
    }

    @ParameterizedTest
    @EnumSource(value = Juggling.class, mode = Mode.EXCLUDE, names = "NEVER")
    void withBoundedMovesPremiumStaysAmongEquals(Juggling juggling) {
        var papers = sample(juggling);
        var bounded = papers.movingEachAtMost(3);

        assertThat(whoMoves(bounded, half(1), half(2).premium())).isEqualTo(1);
        assertThat(whoMoves(bounded, half(1).premium(), half(2))).isEqualTo(2);
        assertThat(whoMoves(papers, half(1), half(2).premium()))
                .isEqualTo(whoMoves(papers, half(1), half(2)))
                .isEqualTo(whoMoves(papers, half(1).premium(), half(2)));
    }

    @ParameterizedTest
    @EnumSource(value = Juggling.class, mode = Mode.EXCLUDE, names = "NEVER")
    void withBoundedMovesTheReservationMovedMostOftenStaysAmongEquals(Juggling juggling) {
        assertThat(whoMovesNext(sample(juggling).movingEachAtMost(3), false)).isEqualTo(3);
        assertThat(whoMovesNext(sample(juggling).movingEachAtMost(3), true)).isEqualTo(1);
    }

    /** Moves the first reservation once, and then it or a third one that was never moved. */
    private static int whoMovesNext(SampleCluster sample, boolean isThirdPremium) {
        var cluster = LiveCluster.of(sample);
        cluster.grant(half(1));
        cluster.happens(at(2, 20).reserve());
        var third = Request.of(3, 2, 10).ready(30).deadline(60);
        cluster.grant(isThirdPremium ? third.premium() : third);
        assertThat(cluster.slot(1)).isEqualTo(cluster.slot(3)).isEqualTo(new Slot(30, 40));

        cluster.happens(at(4, 30).pes(2).reserve());

        return cluster.slot(1).start() == 30 ? 3 : 1;
    }
}
