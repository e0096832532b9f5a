package berth.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.sla.InvalidFigure;
import java.math.BigDecimal;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PolicyTest {

    private static final OptionalLong NONE = OptionalLong.empty();
    private static final long MAX = Policy.MAX_HORIZON;

    @Test
    void namesTheFigureThatIsOutOfRange() {
        assertOutOfRange("horizon", () -> policy(0, 0, NONE));
        assertOutOfRange("horizon", () -> policy(MAX + 1, 0, NONE));
        assertOutOfRange("notice", () -> policy(1, -1, NONE));
        assertOutOfRange("notice", () -> policy(1, MAX + 1, NONE));
        assertOutOfRange("claimWithin", () -> policy(1, 0, OptionalLong.of(0)));
        assertOutOfRange("claimWithin", () -> policy(1, 0, OptionalLong.of(MAX + 1)));
        assertOutOfRange("leadTime", () -> limits(-1, NONE, "1"));
        assertOutOfRange("leadTime", () -> limits(MAX + 1, NONE, "1"));
        assertOutOfRange("maxDuration", () -> limits(0, OptionalLong.of(0), "1"));
        assertOutOfRange("reservableShare", () -> limits(0, NONE, "0"));
        assertOutOfRange("reservableShare", () -> limits(0, NONE, "1.01"));
        assertOutOfRange("reservableShare", () -> limits(0, NONE, "0.0000001"));
    }

    @Test
    void mayReachTheBoundsOfItsFigures() {
        assertThat(policy(1, 0, OptionalLong.of(1))).isNotNull();
        assertThat(policy(MAX, MAX, OptionalLong.of(MAX))).isNotNull();
        assertThat(limits(MAX, OptionalLong.of(1), "0.000001")).isNotNull();
    }

    @Test
    void leavesTheShareOfPesRoundedDown() {
        assertThat(limits(0, NONE, "1").reservable(7)).isEqualTo(7);
        assertThat(limits(0, NONE, "0.5").reservable(7)).isEqualTo(3);
        assertThat(limits(0, NONE, "0.1").reservable(9)).isZero();
        assertThat(limits(0, NONE, "0.333333").reservable(3)).isZero();
    }

    @Test
    void isEqualForSharesOfEqualValue() {
        assertThat(limits(0, NONE, "0.50")).isEqualTo(limits(0, NONE, "0.5"));
    }

    private static Policy policy(long horizon, long notice, OptionalLong claimWithin) {
        return Policy.STANDARD
                .with("replanning", Replanning.of(Juggling.NEVER, ReplanOrder.EARLIEST_DEADLINE_FIRST))
                .with("horizon", horizon)
                .with("notice", notice)
                .with("claimWithin", claimWithin);
    }

    private static Limits limits(long leadTime, OptionalLong maxDuration, String share) {
        return Limits.NONE
                .with("leadTime", leadTime)
                .with("maxDuration", maxDuration)
                .with("reservableShare", new BigDecimal(share));
    }

    private static void assertOutOfRange(String field, ThrowingCallable making) {
        assertThatExceptionOfType(InvalidFigure.class).isThrownBy(making).returns(field, InvalidFigure::field);
    }
}
