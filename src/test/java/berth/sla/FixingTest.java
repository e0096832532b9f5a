package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A reservation placed at 100 with a start at 180; the notice of the cluster is ten seconds. */
class FixingTest {

    @Test
    void followsTheNotice() {
        assertThat(fixesAt(Fixing.BY_NOTICE)).isEqualTo(170);
    }

    @Test
    void comesEarlierByATimeBeforeTheStart() {
        assertThat(fixesAt(before(30))).isEqualTo(150);
        assertThat(fixesAt(before(9))).isEqualTo(170);
    }

    @Test
    void comesEarlierByAShareOfTheWait() {
        assertThat(fixesAt(after("0"))).isEqualTo(100);
        assertThat(fixesAt(after("0.5"))).isEqualTo(140);
        assertThat(fixesAt(after("0.51"))).isEqualTo(140);
        assertThat(fixesAt(after("0.875"))).isEqualTo(170);
        assertThat(fixesAt(after("1"))).isEqualTo(170);
    }

    @Test
    void comesWithTheEarlierOfBoth() {
        assertThat(fixesAt(new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.of(50))))
                .isEqualTo(130);
        assertThat(fixesAt(new Fixing(Optional.of(new BigDecimal("0.5")), OptionalLong.of(20))))
                .isEqualTo(140);
    }

    @Test
    void neverComesBeforeThePlaceIsFound() {
        assertThat(fixesAt(before(81))).isEqualTo(100);
        assertThat(fixesAt(before(Long.MAX_VALUE))).isEqualTo(100);
        assertThat(Fixing.BY_NOTICE.fixesAt(100, 180, 1_000)).isEqualTo(100);
        assertThat(Fixing.BY_NOTICE.fixesAt(100, 100, 0)).isEqualTo(100);
    }

    @Test
    void comesAtTheStartAtTheLatest() {
        assertThat(Fixing.BY_NOTICE.fixesAt(100, 180, 0)).isEqualTo(180);
        assertThat(after("1").fixesAt(100, 180, 0)).isEqualTo(180);
    }

    @Test
    void movesWithThePlaceUnlessItIsAShareOfTheWait() {
        // moved at 120 to a later or an earlier start
        assertThat(Fixing.BY_NOTICE.movedTo(120, 170, 280, 10)).isEqualTo(270);
        assertThat(Fixing.BY_NOTICE.movedTo(120, 170, 150, 10)).isEqualTo(140);
        assertThat(before(30).movedTo(120, 150, 280, 10)).isEqualTo(250);
        assertThat(after("0.5").movedTo(120, 140, 280, 10)).isEqualTo(140);
        assertThat(after("0.5").movedTo(120, 140, 145, 10)).isEqualTo(135);
    }

    @Test
    void isEqualForSharesOfEqualValue() {
        assertThat(after("0.50")).isEqualTo(after("0.5"));
        assertThat(after("0.000000000")).isEqualTo(after("0"));
    }

    @Test
    void namesTheFigureThatIsOutOfRange() {
        assertOutOfRange("fixAfter", "-0.1");
        assertOutOfRange("fixAfter", "1.1");
        assertOutOfRange("fixAfter", "0.0000001");
        assertThatExceptionOfType(InvalidFigure.class)
                .isThrownBy(() -> before(-1))
                .returns("fixBefore", InvalidFigure::field)
                .returns("must not be negative", InvalidFigure::rule);
    }

    private static void assertOutOfRange(String field, String share) {
        assertThatExceptionOfType(InvalidFigure.class)
                .isThrownBy(() -> after(share))
                .returns(field, InvalidFigure::field);
    }

    private static long fixesAt(Fixing fixing) {
        return fixing.fixesAt(100, 180, 10);
    }

    private static Fixing after(String share) {
        return new Fixing(Optional.of(new BigDecimal(share)), OptionalLong.empty());
    }

    private static Fixing before(long seconds) {
        return new Fixing(Optional.empty(), OptionalLong.of(seconds));
    }
}
