package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Function;
import berth.sla.Moldability.Runtimes;
import berth.sla.Moldability.Speedup;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MoldabilityTest {

    @Test
    void theLineOfThePaperKeepsTheWorkOnlyAtItsEnds() {
        // table 1: R^max 20, R^min 80 % of it, T^max = T^min R^max / R^min; c = 2500/4 = 625, k = 22500
        var line = function(16, 20, Speedup.CHORD);

        assertThat(line.shapes(10_000))
                .containsExactly(
                        new Shape(20, 10_000),
                        new Shape(19, 10_625),
                        new Shape(18, 11_250),
                        new Shape(17, 11_875),
                        new Shape(16, 12_500));
    }

    @Test
    void linearSpeedupKeepsTheWorkRoundedUpToSeconds() {
        // 400 PE-seconds
        assertThat(function(1, 4, Speedup.LINEAR).shapes(100))
                .containsExactly(new Shape(4, 100), new Shape(3, 134), new Shape(2, 200), new Shape(1, 400));
    }

    @Test
    void amdahlsLawHasASerialShare() {
        // 0.5 + 0.5/R of the time on one PE: 0.625, 0.666..., 0.75, 1
        assertThat(amdahl("0.5").shapes(100))
                .containsExactly(new Shape(4, 100), new Shape(3, 107), new Shape(2, 120), new Shape(1, 160));
        assertThat(amdahl("0").shapes(100))
                .isEqualTo(function(1, 4, Speedup.LINEAR).shapes(100));
        assertThat(amdahl("1").shapes(100)).extracting(Shape::runTime).containsOnly(100L);
    }

    @Test
    void powersOfTwoAreThoseBetweenTheBounds() {
        var powers = new Function(3, 20, Speedup.LINEAR, Optional.empty(), AllowedPes.POWERS_OF_TWO);

        // the duration is that on 20 PEs
        assertThat(powers.shapes(100)).containsExactly(new Shape(16, 125), new Shape(8, 250), new Shape(4, 500));
    }

    @Test
    void aTableHasItsShapesOnly() {
        var table = table(Map.of(8, 20L, 2, 70L));

        assertThat(table.shapes(20)).containsExactly(new Shape(8, 20), new Shape(2, 70));
        assertThat(table.maxPes()).isEqualTo(8);
        assertThat(table.duration()).isEqualTo(20);
    }

    @Test
    void namesTheFigureThatIsWrong() {
        refused("minPes", () -> function(0, 4, Speedup.LINEAR));
        refused("maxPes", () -> function(5, 4, Speedup.LINEAR));
        refused("minPes", () -> function(1, 257, Speedup.LINEAR));
        refused("minPes", () -> new Function(5, 7, Speedup.LINEAR, Optional.empty(), AllowedPes.POWERS_OF_TWO));
        refused("moldability.serialFraction", () -> function(1, 4, Speedup.AMDAHL));
        refused("moldability.serialFraction", () -> amdahl("1.1"));
        refused("moldability.serialFraction", () -> amdahl("-0.1"));
        refused(
                "moldability.serialFraction",
                () -> new Function(1, 4, Speedup.CHORD, Optional.of(BigDecimal.ONE), AllowedPes.ANY));
        refused("moldability.runtimes", () -> table(Map.of()));
        refused("moldability.runtimes", () -> table(Map.of(0, 5L)));
        refused("moldability.runtimes", () -> table(Map.of(1, 0L)));
        refused("moldability.runtimes", () -> table(Map.of(4, 21L, 2, 20L)));
    }

    @Test
    void aRunIsCutIntoStepsOfWholeSeconds() {
        var shape = new Shape(4, 7);

        assertThat(List.of(shape.cut(0, 4), shape.cut(1, 4), shape.cut(2, 4), shape.cut(3, 4), shape.cut(4, 4)))
                .containsExactly(0L, 2L, 4L, 6L, 7L);
        assertThat(new Shape(1, Long.MAX_VALUE).cut(1, 2)).isEqualTo(1L << 62);
    }

    @Test
    void aRunMayBeSplitAfterEachShareOfWhichAWholeNumberIsOne() {
        assertThat(sp("0.2").stepCount()).isEqualTo(5);
        assertThat(sp("0.20")).isEqualTo(sp("0.2"));
        assertThat(sp("1").stepCount()).isEqualTo(1);
        assertThat(sp("0.01").stepCount()).isEqualTo(100);
        assertThat(new Preemption(OptionalInt.empty(), new BigDecimal("0.125"), true).mostParts())
                .isEqualTo(8);
        for (var wrong : List.of("0", "-0.5", "0.3", "1.5", "0.001", "0.333333")) {
            refused("preemption.step", () -> sp(wrong));
        }
        refused("preemption.maxParts", () -> new Preemption(OptionalInt.of(0), BigDecimal.ONE, true));
        refused("preemption.maxParts", () -> new Preemption(OptionalInt.of(6), new BigDecimal("0.2"), true));
    }

    @Test
    void aRunMayBeSplitIntoANumberOfStepsThatHasNoDecimalShare() {
        var thirds = new Preemption(OptionalInt.empty(), 3, true);

        assertThat(thirds.stepCount()).isEqualTo(3);
        assertThat(thirds.mostParts()).isEqualTo(3);
        assertThat(new Preemption(OptionalInt.of(1), 5, false).isSameAs(sp("0.2")))
                .isTrue();
        assertThat(new Preemption(OptionalInt.of(1), 4, false).isSameAs(sp("0.2")))
                .isFalse();
        refused("preemption.steps", () -> new Preemption(OptionalInt.empty(), 0, false));
        refused("preemption.steps", () -> new Preemption(OptionalInt.empty(), 101, false));
        refused("preemption.maxParts", () -> new Preemption(OptionalInt.of(4), 3, true));
        refused(
                "preemption.steps",
                () -> new Preemption(
                        OptionalInt.empty(), Optional.of(new BigDecimal("0.5")), OptionalInt.of(2), false));
    }

    private static Preemption sp(String step) {
        return new Preemption(OptionalInt.of(1), new BigDecimal(step), false);
    }

    private static Function function(int minPes, int maxPes, Speedup speedup) {
        return new Function(minPes, maxPes, speedup, Optional.empty(), AllowedPes.ANY);
    }

    private static Function amdahl(String serialFraction) {
        return new Function(1, 4, Speedup.AMDAHL, Optional.of(new BigDecimal(serialFraction)), AllowedPes.ANY);
    }

    private static Runtimes table(Map<Integer, Long> runTimes) {
        return new Runtimes(new TreeMap<>(runTimes));
    }

    private static void refused(String figure, ThrowingCallable made) {
        assertThatThrownBy(made).isInstanceOf(InvalidFigure.class).hasMessageContaining(figure);
    }
}
