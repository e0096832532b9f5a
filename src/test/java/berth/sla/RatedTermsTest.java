package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import berth.outcome.Outcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Durations are those on a standard PE; a faster cluster needs less time. */
class RatedTermsTest {

    private static final long HORIZON = 1_000;

    @Test
    void runForTheDurationDividedByTheRatingRoundedUp() {
        assertThat(resolved(30, "1").runTime()).isEqualTo(30);
        assertThat(resolved(30, "2").runTime()).isEqualTo(15);
        assertThat(resolved(31, "2").runTime()).isEqualTo(16);
        assertThat(resolved(1, "1000").runTime()).isEqualTo(1);
        assertThat(resolved(30, "0.4").runTime()).isEqualTo(75);
        assertThat(resolved(30, "0.7").runTime()).isEqualTo(43);
    }

    @Test
    void keepTheDurationThatWasAskedFor() {
        assertThat(resolved(31, "2").duration()).isEqualTo(31);
    }

    @Test
    void areMeasuredByTheRunTime() {
        assertThat(resolved(200, 100, "2").scenario()).isEqualTo(QosScenario.STRICT);
        assertThat(resolved(200, 101, "2").flexibility()).isEqualTo(1);
        assertThat(wrong(100, 100, "0.5")).isEqualTo("duration");
    }

    @Test
    void mayBeLongerThanTheHorizonIfTheRunIsNot() {
        assertThat(resolved(2 * HORIZON, "2").runTime()).isEqualTo(HORIZON);
        assertThat(wrong(2 * HORIZON + 1, HORIZON, "2")).isEqualTo("duration");
        assertThat(wrong(HORIZON, HORIZON, "0.99")).isEqualTo("duration");
    }

    @Test
    void refuseTheLongestDurationOnTheSlowestCluster() {
        assertThat(wrong(Long.MAX_VALUE, HORIZON, "0.01")).isEqualTo("duration");
        assertThat(wrong(Long.MAX_VALUE, HORIZON, "1000")).isEqualTo("duration");
    }

    private static Terms resolved(long duration, String rating) {
        return resolved(duration, HORIZON, rating);
    }

    private static Terms resolved(long duration, long deadline, String rating) {
        var resolution = resolve(duration, deadline, rating);
        assertThat(resolution).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Terms, ?>) resolution).value();
    }

    /** Returns the one field that is wrong. */
    private static String wrong(long duration, long deadline, String rating) {
        var resolution = resolve(duration, deadline, rating);
        assertThat(resolution).isInstanceOf(Outcome.NotDone.class);
        List<Violation> violations = ((Outcome.NotDone<?, List<Violation>>) resolution).why();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field();
    }

    private static Outcome<Terms, List<Violation>> resolve(long duration, long deadline, String rating) {
        return RequestedTerms.of(OptionalLong.of(0), OptionalLong.of(deadline), duration, 4)
                .resolve(0, new Bounds(new BigDecimal(rating), Integer.MAX_VALUE, Long.MAX_VALUE, HORIZON, 0));
    }
}
