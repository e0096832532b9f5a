package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.outcome.Outcome;
import berth.sla.Moldability.AllowedPes;
import berth.sla.Moldability.Function;
import berth.sla.Moldability.Speedup;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Adapts a request for 2 to 4 PEs, of which 4 take 100 s, 3 take 134 s and 2 take 200 s. */
class AdaptiveTermsTest {

    private static final long HORIZON = 10_000;

    @Test
    void haveAllShapesThatAClusterTakes() {
        var terms = resolved(asked(100, 300), bounds(4, 200));

        assertThat(terms.shapes()).containsExactly(new Shape(4, 100), new Shape(3, 134), new Shape(2, 200));
        assertThat(terms.flexibility()).isEqualTo(200);
    }

    @Test
    void leaveOutShapesThatAreTooWide() {
        var terms = resolved(asked(100, 300), bounds(3, 200));

        assertThat(terms.shapes()).containsExactly(new Shape(3, 134), new Shape(2, 200));
        // R^max and T^min are those of the largest remaining shape
        assertThat(terms.pes()).isEqualTo(3);
        assertThat(terms.runTime()).isEqualTo(134);
        assertThat(terms.flexibility()).isEqualTo(166);
        assertThat(terms.duration()).isEqualTo(100);
    }

    @Test
    void leaveOutShapesThatTakeTooLong() {
        assertThat(resolved(asked(100, 300), bounds(4, 199)).shapes())
                .containsExactly(new Shape(4, 100), new Shape(3, 134));
    }

    @Test
    void keepAllShapesIfTheClusterAllowsNone() {
        assertThat(resolved(asked(100, 300), bounds(1, 1)).shapes()).hasSize(3);
    }

    @Test
    void needAWindowForTheLargestShapeThatRemains() {
        assertThat(resolved(asked(100, 133), bounds(4, 200)).scenario()).isEqualTo(QosScenario.INTERVAL);
        assertThat(resolved(asked(100, 100), bounds(4, 200)).scenario()).isEqualTo(QosScenario.STRICT);
        assertThat(wrong(asked(100, 133), bounds(3, 200))).isEqualTo("duration");
        assertThat(resolved(asked(100, 134), bounds(3, 200)).scenario()).isEqualTo(QosScenario.STRICT);
    }

    @Test
    void roundEachRunTimeUpOnFasterPes() {
        assertThat(resolved(asked(100, 300), new Bounds(new BigDecimal("3"), 4, 200, HORIZON, 0))
                        .shapes())
                .containsExactly(new Shape(4, 34), new Shape(3, 45), new Shape(2, 67));
    }

    @Test
    void needASecondForEachStep() {
        var tenths = Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.1"), false));

        assertThat(wrong(asked(9, 300, tenths), bounds(4, 200))).isEqualTo("preemption.step");
        assertThat(resolved(asked(10, 300, tenths), bounds(4, 200)).steps()).isEqualTo(10);
        // steps of half a second on PEs that are twice as fast
        assertThat(wrong(asked(10, 300, tenths), new Bounds(BigDecimal.TWO, 4, 200, HORIZON, 0)))
                .isEqualTo("preemption.step");
    }

    @Test
    void nameTheFieldThatGaveTheSteps() {
        var hundred = Optional.of(new Preemption(OptionalInt.empty(), 100, false));
        var seventh = Optional.of(new Preemption(OptionalInt.empty(), 7, false));

        assertThat(resolved(asked(7, 300, seventh), bounds(4, 200)).steps()).isEqualTo(7);
        assertThat(wrong(asked(6, 300, seventh), bounds(4, 200))).isEqualTo("preemption.steps");
        // three shapes with a hundred steps each are as many as a request may have
        assertThat(asked(100, 300, hundred).weight()).isEqualTo(RequestedTerms.MAX_SHAPES_AND_STEPS);
        assertThatThrownBy(() -> asked(100, 300, hundred, 1))
                .isInstanceOf(InvalidFigure.class)
                .hasMessageContaining("preemption.steps (100) makes 100 steps in each of 4 shapes");
    }

    @Test
    void keepTheirNumbersOfPesUnderOtherBoundsOfTheCluster() {
        var agreed = resolved(asked(100, 300), bounds(3, 200));

        assertThat(again(asked(100, 300), bounds(4, 200), agreed)).isEqualTo(agreed);
        assertThat(again(asked(100, 400), bounds(2, 1), agreed).shapes()).isEqualTo(agreed.shapes());
    }

    @Test
    void scaleAllShapesWithTheDuration() {
        var agreed = resolved(asked(100, 300), bounds(3, 200));

        // 2 PEs would take 220 s, and shapes that were not agreed are not allowed
        assertThat(again(asked(110, 300), bounds(3, 200), agreed).shapes()).containsExactly(new Shape(3, 147));
        assertThat(again(asked(50, 300), bounds(3, 1), agreed).shapes())
                .containsExactly(new Shape(3, 67), new Shape(2, 100));
    }

    private static RequestedTerms asked(long duration, long deadline) {
        return asked(duration, deadline, Optional.empty());
    }

    private static RequestedTerms asked(long duration, long deadline, Optional<Preemption> preemption) {
        return asked(duration, deadline, preemption, 2);
    }

    private static RequestedTerms asked(long duration, long deadline, Optional<Preemption> preemption, int minPes) {
        return new RequestedTerms(
                OptionalLong.of(0),
                OptionalLong.of(deadline),
                duration,
                4,
                Optional.of(new Function(minPes, 4, Speedup.LINEAR, Optional.empty(), AllowedPes.ANY)),
                preemption,
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE);
    }

    private static Bounds bounds(int pes, long runTime) {
        return new Bounds(BigDecimal.ONE, pes, runTime, HORIZON, 0);
    }

    private static Terms resolved(RequestedTerms asked, Bounds on) {
        return ((Outcome.Done<Terms, ?>) asked.resolve(0, on)).value();
    }

    private static Terms again(RequestedTerms asked, Bounds on, Terms agreed) {
        return ((Outcome.Done<Terms, ?>) asked.resolve(0, on, agreed)).value();
    }

    private static String wrong(RequestedTerms asked, Bounds on) {
        List<Violation> violations = ((Outcome.NotDone<?, List<Violation>>) asked.resolve(0, on)).why();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field();
    }
}
