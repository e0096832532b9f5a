package berth.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Moldability;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Prices of runs with several shapes or parts, of Algorithm 2, and by the load. The calculation is next to each price. */
class AdaptivePricesTest {

    private static final long HOUR = 3600;
    private static final Preemption HALVES = new Preemption(OptionalInt.of(2), new BigDecimal("0.5"), false);

    private final Tariff berth = tariff(PriceFunction.BERTH, List.of());
    private final Tariff paper = tariff(PriceFunction.NETTO_BUYYA_2007, List.of());

    // ---- Berth's own

    @Test
    void takesOffForARunThatMayBeSplitWhetherItIsOrNot() {
        var terms = terms(10 * HOUR, HALVES, new Shape(4, 2 * HOUR));

        // 8 x (1 - 0.2 x 8/10) x 0.9 = 6.048
        assertThat(price(berth, terms, part(4, 0, 2))).hasToString("6.05 USD");
        assertThat(price(berth, terms, part(4, 0, 1), part(4, 5, 1))).hasToString("6.05 USD");
    }

    @Test
    void takesOffNothingForARunThatMayBeSplitIntoOnePart() {
        var one = new Preemption(OptionalInt.of(1), new BigDecimal("0.5"), true);

        assertThat(price(berth, terms(2 * HOUR, one, new Shape(4, 2 * HOUR)), part(4, 0, 2)))
                .hasToString("8.00 USD");
    }

    @Test
    void countsTheWorkOfTheShapeThatIsTakenAndTheSlackOfTheLargest() {
        var terms = terms(10 * HOUR, new Shape(4, 2 * HOUR), new Shape(2, 5 * HOUR));

        // 10 x (1 - 0.2 x 8/10)
        assertThat(price(berth, terms, part(2, 0, 5))).hasToString("8.40 USD");
        // and one of the five waits of two hours that earn the whole discount: 8.40 x (1 - 0.2 x 1/5)
        assertThat(price(berth, terms, part(2, 2, 5))).hasToString("8.07 USD");
    }

    @Test
    void asksTheSurchargeIfAnOwnerGivesUpSplitting() {
        var split = terms(4 * HOUR, HALVES, new Shape(4, 2 * HOUR));
        var whole = terms(4 * HOUR, new Shape(4, 2 * HOUR));
        var agreed = price(berth, split, part(4, 0, 2));
        assertThat(agreed).hasToString("6.48 USD");

        // new: 7.20, plus a tenth
        assertThat(changed(agreed, split, whole)).hasToString("7.92 USD");
        assertThat(changed(new Money(new BigDecimal("7.20"), berth.currency()), whole, split))
                .hasToString("6.48 USD");
    }

    @Test
    void asksTheSurchargeIfAnOwnerGivesUpShapes() {
        var moldable = terms(4 * HOUR, new Shape(4, 2 * HOUR), new Shape(2, 4 * HOUR));
        var rigid = terms(4 * HOUR, new Shape(4, 2 * HOUR));

        assertThat(changed(price(berth, moldable, part(4, 0, 2)), moldable, rigid))
                .hasToString("7.92 USD");
        assertThat(changed(price(berth, rigid, part(4, 0, 2)), rigid, moldable)).hasToString("7.20 USD");
    }

    private Money changed(Money agreed, Terms before, Terms after) {
        var parts = List.of(part(4, 0, 2));
        return berth.renegotiated(agreed, before, parts, run(after, parts, BigDecimal.ZERO));
    }

    @Test
    void neverAsksMoreForMoreSlackAroundOnePlacement() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            int steps = 1 + random.nextInt(4);
            var shapes = new ArrayList<Shape>();
            long runTime = 4 + random.nextInt(400);
            for (int pes = 5; pes > 0; pes -= 1 + random.nextInt(3)) {
                shapes.add(new Shape(pes, runTime));
                runTime += random.nextInt(100);
            }
            var parts = new ArrayList<Part>();
            long end = 1_000 + random.nextInt(500);
            for (int step = 0; step < steps; step++) {
                var shape = shapes.get(random.nextInt(shapes.size()));
                long start = end + random.nextInt(50);
                end = start + shape.cut(step + 1, steps) - shape.cut(step, steps);
                parts.add(Part.whole(new Slot(start, end), shape.pes()));
            }
            long start = parts.getFirst().slot().start();
            long deadline = Math.max(end, start + shapes.getFirst().runTime());
            var window = new Window(start - random.nextInt(400), deadline + random.nextInt(400));
            var wider = new Window(window.readyTime() - random.nextInt(50), window.deadline() + random.nextInt(50));
            var preemption = steps == 1
                    ? Optional.<Preemption>empty()
                    : Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.25"), true));
            var booked = BigDecimal.valueOf(random.nextInt(101), 2);
            var steep = tariff(PriceFunction.BERTH, List.of(step("0.3", "1.5"), step("0.7", "4")));

            var price = steep.price(run(terms(window, preemption, shapes), parts, booked));
            var less = steep.price(run(terms(wider, preemption, shapes), parts, booked));

            assertThat(less.exceeds(price))
                    .as("%s, %s for %s", parts, window, wider)
                    .isFalse();
        }
    }

    // ---- paper 003, Algorithm 2

    @Test
    void takesOffUpToSixtyPercentTheNearerToItsDeadlineARunEnds() {
        var terms = terms(10 * HOUR, new Shape(4, 2 * HOUR));

        // T_c 2: nothing; 6: (6 - 2) / (10 - 2) = 1/2 of 0.6 x 8; 10: all
        assertThat(price(paper, terms, part(4, 0, 2))).hasToString("8.00 USD");
        assertThat(price(paper, terms, part(4, 4, 2))).hasToString("5.60 USD");
        assertThat(price(paper, terms, part(4, 8, 2))).hasToString("3.20 USD");
    }

    @Test
    void takesOffWholeCents() {
        // 1/7 of 0.6 is 0.0857
        assertThat(price(paper, terms(8 * HOUR, new Shape(1, HOUR)), part(1, 1, 1)))
                .hasToString("0.92 USD");
    }

    @Test
    void multipliesByThePriceProfileAndTheIncentive() {
        var terms = terms(10 * HOUR, HALVES, new Shape(4, 2 * HOUR));
        var there = List.of(part(4, 4, 2));

        // 5.60 x 0.9, and three times that
        assertThat(paper.price(new PricedRun(terms, there, Mobility.NONE, BigDecimal.ZERO, ServiceClass.STANDARD)))
                .hasToString("5.04 USD");
        assertThat(paper.price(new PricedRun(terms, there, Mobility.NONE, BigDecimal.ZERO, ServiceClass.PREMIUM)))
                .hasToString("15.12 USD");
    }

    @Test
    void countsTheEndOfTheLastPart() {
        var terms = terms(10 * HOUR, HALVES, new Shape(4, 2 * HOUR));

        // T_c 6: 5.60 x 0.9
        assertThat(price(paper, terms, part(4, 0, 1), part(4, 5, 1))).hasToString("5.04 USD");
    }

    @Test
    void measuresASmallerShapeByTheLargest() {
        var terms = terms(10 * HOUR, new Shape(4, 2 * HOUR), new Shape(2, 4 * HOUR));

        // (4 - 2) / (10 - 2) = 1/4 of 0.6 x 8
        assertThat(price(paper, terms, part(2, 0, 4))).hasToString("6.80 USD");
    }

    @Test
    void takesOffNothingOfARunWithoutSlack() {
        assertThat(price(paper, terms(2 * HOUR, new Shape(4, 2 * HOUR)), part(4, 0, 2)))
                .hasToString("8.00 USD");
    }

    @Test
    void doesNotAskMoreOfPartsThatAreDoneSoonerThanTheLargestShape() {
        var eighths = new Preemption(OptionalInt.empty(), new BigDecimal("0.125"), true);
        var terms = terms(100 * HOUR, eighths, new Shape(3, 11 * HOUR), new Shape(1, 12 * HOUR));

        // the sum of the rounded cuts can be lower; 30 x 0.9
        assertThat(price(paper, terms, part(3, 0, 10))).hasToString("27.00 USD");
    }

    // ---- the load

    @Test
    void asksTheFactorOfTheHighestStepThatTheLoadExceeds() {
        var loaded = tariff(PriceFunction.BERTH, List.of(step("0.5", "1.5"), step("0.8", "3")));
        var terms = terms(2 * HOUR, new Shape(4, 2 * HOUR));

        assertThat(price(loaded, terms, "0.5")).hasToString("8.00 USD");
        assertThat(price(loaded, terms, "0.500001")).hasToString("12.00 USD");
        assertThat(price(loaded, terms, "0.8")).hasToString("12.00 USD");
        assertThat(price(loaded, terms, "1")).hasToString("24.00 USD");
        assertThat(price(tariff(PriceFunction.NETTO_BUYYA_2007, loaded.loadProfile()), terms, "1"))
                .hasToString("24.00 USD");
    }

    @Test
    void namesTheStepOfTheLoadThatIsWrong() {
        assertRefused("loadProfile[1].above", step("0.5", "2"), step("0.5", "3"));
        assertRefused("loadProfile[1].factor", step("0.5", "2"), step("0.6", "1.9"));
    }

    @Test
    void aStepOfTheLoadHasBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> step("1.1", "2"))
                .withMessage("The above (1.1) must lie between 0 and 1.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> step("-0.1", "2"))
                .withMessage("The above (-0.1) must lie between 0 and 1.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> step("0.5", "0.9"))
                .withMessage("The factor (0.9) must lie between 1 and 1000.");
    }

    private static void assertRefused(String figure, LoadStep... steps) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tariff(PriceFunction.BERTH, List.of(steps)))
                .withMessageStartingWith("The " + figure);
    }

    private static Money price(Tariff tariff, Terms terms, String booked) {
        return tariff.price(run(terms, List.of(part(4, 0, 2)), new BigDecimal(booked)));
    }

    private static Money price(Tariff tariff, Terms terms, Part... parts) {
        return tariff.price(run(terms, List.of(parts), BigDecimal.ZERO));
    }

    private static PricedRun run(Terms terms, List<Part> parts, BigDecimal booked) {
        return new PricedRun(terms, parts, Mobility.ALL, booked, ServiceClass.STANDARD);
    }

    private static LoadStep step(String above, String factor) {
        return new LoadStep(new BigDecimal(above), new BigDecimal(factor));
    }

    /** Returns a part with {@code pes} PEs for {@code hours} hours from hour {@code from} on. */
    private static Part part(int pes, long from, long hours) {
        return Part.whole(Slot.of(from * HOUR, hours * HOUR), pes);
    }

    private static Tariff tariff(PriceFunction function, List<LoadStep> loadProfile) {
        return Tariff.STANDARD
                .with("function", function)
                .with("shapeDiscount", BigDecimal.ZERO)
                .with("loadProfile", loadProfile);
    }

    private static Terms terms(long window, Shape... shapes) {
        return terms(new Window(0, window), Optional.empty(), List.of(shapes));
    }

    private static Terms terms(long window, Preemption preemption, Shape... shapes) {
        return terms(new Window(0, window), Optional.of(preemption), List.of(shapes));
    }

    private static Terms terms(Window window, Optional<Preemption> preemption, List<Shape> shapes) {
        var runTimes = new TreeMap<Integer, Long>();
        shapes.forEach(shape -> runTimes.put(shape.pes(), shape.runTime()));
        return new Terms(
                window,
                shapes.getFirst().runTime(),
                shapes,
                shapes.size() > 1 ? Optional.of(new Moldability.Runtimes(runTimes)) : Optional.empty(),
                preemption,
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }
}
