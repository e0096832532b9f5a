package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.reservation.ClusterId;
import berth.scheduling.places.Preference.Choice;
import berth.scheduling.places.Preference.Measure;
import berth.sla.InvalidFigure;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class PreferenceTest {

    private static final Choice SOON = choice("a", 100, 500, "30.00", 0.2);
    private static final Choice SHORT = choice("b", 300, 400, "20.00", 0.5);
    private static final Choice CHEAP = choice("c", 900, 1000, "10.00", 0.4);
    private static final Choice HARMLESS = choice("d", 500, 900, "25.00", 1);
    private static final List<Choice> ALL = List.of(HARMLESS, CHEAP, SHORT, SOON);

    private static Choice choice(String cluster, long start, long end, String price, double availability) {
        return new Choice(
                new ClusterId(cluster),
                new Slot(start, end),
                new Money(new BigDecimal(price), Currency.getInstance("USD")),
                availability);
    }

    private static List<Choice> ordered(Preference preference) {
        return preference.order(ALL, Function.identity());
    }

    @Test
    void aSingleMeasureSortsTheSlots() {
        assertThat(ordered(Preference.EARLIEST_START)).containsExactly(SOON, SHORT, HARMLESS, CHEAP);
        assertThat(ordered(Preference.EARLIEST_COMPLETION)).containsExactly(SHORT, SOON, HARMLESS, CHEAP);
        assertThat(ordered(Preference.LOWEST_PRICE)).containsExactly(CHEAP, SHORT, HARMLESS, SOON);
        assertThat(ordered(Preference.BEST_AVAILABILITY)).containsExactly(HARMLESS, SHORT, CHEAP, SOON);
    }

    /** Costs of the start: 0, 1/4, 1/2, 1; of the price: 1, 1/2, 3/4, 0. */
    @Test
    void weightsWeighCostsBetweenTheLeastAndTheMost() {
        var even = new Preference(Map.of(Measure.START, 0.5, Measure.PRICE, 0.5));
        var mostlyCheap = new Preference(Map.of(Measure.START, 0.2, Measure.PRICE, 0.8));

        // 0.375, then SOON and CHEAP with 0.5 each, earlier start first, then 0.625
        assertThat(ordered(even)).containsExactly(SHORT, SOON, CHEAP, HARMLESS);
        assertThat(ordered(mostlyCheap)).containsExactly(CHEAP, SHORT, HARMLESS, SOON);
    }

    @Test
    void equalChoicesAreSortedByStartAndThenByCluster() {
        var late = choice("a", 200, 300, "5.00", 1);
        var here = choice("b", 100, 200, "5.00", 1);
        var there = choice("c", 100, 200, "5.00", 1);

        assertThat(Preference.LOWEST_PRICE.order(List.of(there, late, here), Function.identity()))
                .containsExactly(here, there, late);
    }

    @Test
    void anEmptyOrSingleChoiceIsSorted() {
        assertThat(Preference.LOWEST_PRICE.order(List.<Choice>of(), Function.identity()))
                .isEmpty();
        assertThat(Preference.LOWEST_PRICE.order(List.of(SOON), Function.identity()))
                .containsExactly(SOON);
    }

    @Test
    void weightsThatDoNotAddUpAreRefused() {
        assertRefused(Map.of());
        assertRefused(Map.of(Measure.START, 0.5));
        assertRefused(Map.of(Measure.START, 0.5, Measure.PRICE, 0.6));
        assertRefused(Map.of(Measure.START, 1.5, Measure.PRICE, -0.5));
        assertRefused(Map.of(Measure.START, Double.NaN));
        assertRefused(Map.of(Measure.START, 1 + 1e-8));
        assertThat(new Preference(Map.of(Measure.START, 0.1, Measure.PRICE, 0.2, Measure.COMPLETION, 0.7)))
                .isNotNull();
    }

    private static void assertRefused(Map<Measure, Double> weights) {
        assertThatExceptionOfType(InvalidFigure.class)
                .isThrownBy(() -> new Preference(weights))
                .returns("orderBy", InvalidFigure::field);
    }

    @Test
    void theOrderOfTheAnswersMakesNoDifference() {
        var random = new Random(20260915);
        for (int round = 0; round < 200; round++) {
            var slots = new ArrayList<Choice>();
            for (int i = 0; i < 12; i++) {
                long start = random.nextInt(4);
                var price = random.nextInt(3) + ".00";
                slots.add(choice("c" + i, start, start + 1 + random.nextInt(4), price, random.nextInt(3) / 2.0));
            }
            double weight = random.nextInt(11) / 10.0;
            var preference = new Preference(Map.of(Measure.PRICE, weight, Measure.AVAILABILITY, 1 - weight));
            var first = preference.order(slots, Function.identity());
            Collections.shuffle(slots, random);

            assertThat(preference.order(slots, Function.identity())).isEqualTo(first);
            assertThat(first.getFirst())
                    .matches(best -> score(best, slots, weight) <= leastScore(slots, weight) + 1e-12);
        }
    }

    /** Computes the score by the formula, measure by measure. */
    private static double score(Choice choice, List<Choice> all, double priceWeight) {
        return priceWeight * share(choice, all, one -> one.price().amount().doubleValue())
                + (1 - priceWeight) * (1 - share(choice, all, Choice::availability));
    }

    private static double leastScore(List<Choice> all, double priceWeight) {
        return all.stream()
                .mapToDouble(choice -> score(choice, all, priceWeight))
                .min()
                .orElseThrow();
    }

    private static double share(Choice choice, List<Choice> all, ToDoubleFunction<Choice> measure) {
        double least = all.stream().mapToDouble(measure).min().orElseThrow();
        double most = all.stream().mapToDouble(measure).max().orElseThrow();
        return most == least ? 0 : (measure.applyAsDouble(choice) - least) / (most - least);
    }
}
