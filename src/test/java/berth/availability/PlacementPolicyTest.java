package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import berth.time.Window;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlacementPolicyTest {

    private static final Demand WITHOUT_DEADLINE = new Demand(new Window(0, Long.MAX_VALUE), 1, 1, 0);

    /** Rectangles with starts 1 to 5, and with few, many or a medium number of PEs and seconds. */
    private static final Rectangle EARLY = new Rectangle(1, 5, 0, 100);

    private static final Rectangle NARROW = new Rectangle(2, 2, 0, 90);
    private static final Rectangle WIDE = new Rectangle(3, 9, 0, 80);
    private static final Rectangle SHORT = new Rectangle(4, 3, 0, 10);
    private static final Rectangle LONG = new Rectangle(5, 4, 0, 1000);

    @ParameterizedTest
    @CsvSource({
        "FIRST_FIT, 1",
        "PE_BEST_FIT, 2",
        "PE_WORST_FIT, 3",
        "DURATION_BEST_FIT, 4",
        "DURATION_WORST_FIT, 5",
        "PE_DURATION_BEST_FIT, 4",
        "PE_DURATION_WORST_FIT, 5",
    })
    void eachPolicyPrefersItsOwnRectangle(PlacementPolicy policy, long start) {
        assertThat(chosen(policy, LONG, SHORT, WIDE, NARROW, EARLY).start()).isEqualTo(start);
    }

    @Test
    void peDurationPoliciesCompareAreas() {
        var small = new Rectangle(1, 2, 0, 50);
        var shortest = new Rectangle(2, 30, 0, 10);
        var narrowest = new Rectangle(3, 1, 0, 200);
        assertThat(chosen(PlacementPolicy.PE_DURATION_BEST_FIT, shortest, small, narrowest))
                .isEqualTo(small);
        assertThat(chosen(PlacementPolicy.PE_DURATION_WORST_FIT, small, shortest, narrowest))
                .isEqualTo(shortest);
    }

    @ParameterizedTest
    @EnumSource
    void everyPolicyTakesTheEarliestOfEqualRectangles(PlacementPolicy policy) {
        var first = new Rectangle(10, 4, 0, 60);
        var second = new Rectangle(20, 4, 0, 60);
        assertThat(chosen(policy, second, first)).isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource({"DURATION_BEST_FIT", "DURATION_WORST_FIT", "PE_DURATION_BEST_FIT", "PE_DURATION_WORST_FIT"})
    void endlessRectanglesAreEqual(PlacementPolicy policy) {
        var first = new Rectangle(10, 4, 5, Long.MAX_VALUE);
        var older = new Rectangle(20, 5, 0, Long.MAX_VALUE);
        assertThat(chosen(policy, older, first)).isEqualTo(first);
    }

    @Test
    void anEndlessRectangleIsLongerThanAnyOther() {
        var endless = new Rectangle(10, 1, 5, Long.MAX_VALUE);
        var wide = new Rectangle(20, 1_000_000, 0, 1L << 40);
        assertThat(chosen(PlacementPolicy.DURATION_WORST_FIT, wide, endless)).isEqualTo(endless);
        assertThat(chosen(PlacementPolicy.DURATION_BEST_FIT, wide, endless)).isEqualTo(wide);
        assertThat(chosen(PlacementPolicy.PE_DURATION_WORST_FIT, wide, endless)).isEqualTo(endless);
        assertThat(chosen(PlacementPolicy.PE_DURATION_BEST_FIT, wide, endless)).isEqualTo(wide);
    }

    @Test
    void timeAfterTheDeadlineDoesNotCount() {
        var before = new Demand(new Window(0, 100), 10, 1, 0);
        var endless = new Rectangle(20, 5, 10, Long.MAX_VALUE);
        var longer = new Rectangle(30, 4, 5, 100);
        assertThat(chosen(PlacementPolicy.DURATION_WORST_FIT, before, endless, longer))
                .isEqualTo(longer);
        assertThat(chosen(PlacementPolicy.DURATION_BEST_FIT, before, endless, longer))
                .isEqualTo(endless);
        assertThat(chosen(PlacementPolicy.PE_DURATION_WORST_FIT, before, endless, longer))
                .isEqualTo(endless);
        assertThat(chosen(PlacementPolicy.PE_DURATION_BEST_FIT, before, endless, longer))
                .isEqualTo(longer);
    }

    private static Rectangle chosen(PlacementPolicy policy, Rectangle... rectangles) {
        return chosen(policy, WITHOUT_DEADLINE, rectangles);
    }

    private static Rectangle chosen(PlacementPolicy policy, Demand demand, Rectangle... rectangles) {
        return Stream.of(rectangles).min(policy.preference(demand)).orElseThrow();
    }
}
