package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.time.Slot;
import berth.time.Window;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The example of paper 004, section 4.3: jobs 1 and 2 run, job 3 is reserved, and a request for 3 PEs has four places to
 * go, one after another.
 *
 * <pre>
 * PEs
 *  8 |
 *  7 |
 *  6 |2222222222
 *  5 |2222222222                              33333333333333333333
 *  4 |2222222222                              33333333333333333333
 *  3 |2222222222                              33333333333333333333
 *  2 |11111111111111111111                    33333333333333333333
 *  1 |11111111111111111111                    33333333333333333333
 *    +---------+---------+---------+---------+---------+---------+--
 *    0        10        20        30        40        50        60
 *                &lt;--------&gt;                      ready at 12
 *                        &lt;--------&gt;              job 1 ends
 *                                  &lt;--------&gt;    job 3 begins at its end
 *                                       &lt;--------&gt;  deadline at 45
 * </pre>
 */
class RectanglesTest {

    private static final long FOR_EVER = Long.MAX_VALUE;

    private final CapacityProfile profile = CapacityProfile.of(8)
            .take(new Slot(0, 20), 2)
            .take(new Slot(0, 10), 4)
            .take(new Slot(40, 60), 5);

    private final Demand request = new Demand(new Window(12, 45), 10, 3, 0);

    @Test
    void eachPlaceHasTheLargestRectangleWithItsFreePes() {
        assertThat(profile.rectangles(request, 8))
                .containsExactly(
                        new Rectangle(12, 6, 10, 40),
                        new Rectangle(20, 8, 20, 40),
                        new Rectangle(30, 8, 20, 40),
                        new Rectangle(35, 3, 10, FOR_EVER));
    }

    @ParameterizedTest
    @CsvSource({
        "FIRST_FIT, 12",
        "PE_BEST_FIT, 35",
        "PE_WORST_FIT, 20",
        "DURATION_BEST_FIT, 20",
        "DURATION_WORST_FIT, 35",
        "PE_DURATION_BEST_FIT, 35",
        "PE_DURATION_WORST_FIT, 12"
    })
    void eachPolicyTakesTheEarliestOfItsPreferredRectangles(PlacementPolicy policy, long start) {
        assertThat(profile.place(request, 8, policy)).hasValue(start);
    }

    @Test
    void placesWithTooFewPesAreLeftOut() {
        var wider = new Demand(request.window(), 10, 7, 0);

        assertThat(profile.rectangles(wider, 8)).extracting(Rectangle::start).containsExactly(20L, 30L);
        assertThat(profile.rectangles(new Demand(request.window(), 10, 9, 0), 8))
                .isEmpty();
        assertThat(profile.place(new Demand(request.window(), 10, 9, 0), 8, PlacementPolicy.PE_BEST_FIT))
                .isEmpty();
    }

    @Test
    void freeTimeBeforeThePresentDoesNotCount() {
        var later = new Demand(request.window(), 10, 3, 11);

        assertThat(profile.rectangles(later, 8)).extracting(Rectangle::from).containsExactly(11L, 20L, 20L, 11L);
    }

    @Test
    void aRectangleMayReachBeyondTheWindowOnBothSides() {
        var tight = new Demand(new Window(22, 38), 16, 1, 0);

        assertThat(profile.rectangles(tight, 8)).containsExactly(new Rectangle(22, 8, 20, 40));
    }

    @Test
    void theReadyTimeMayBeTheLatestStart() {
        var rigid = new Demand(new Window(12, 22), 10, 1, 0);

        assertThat(profile.rectangles(rigid, 8)).containsExactly(new Rectangle(12, 6, 10, 40));
    }

    @Test
    void aWindowThatIsTooShortHasNoRectangles() {
        var tooLong = new Demand(new Window(12, 22), 11, 1, 0);
        var endless = new Demand(new Window(Long.MIN_VALUE, Long.MIN_VALUE + 5), 6, 1, Long.MIN_VALUE);

        assertThat(profile.rectangles(tooLong, 8)).isEmpty();
        assertThat(profile.rectangles(endless, 8)).isEmpty();
        assertThat(profile.place(endless, 8, PlacementPolicy.FIRST_FIT)).isEmpty();
        assertThat(profile.place(endless, 8, PlacementPolicy.PE_WORST_FIT)).isEmpty();
    }

    @Test
    void allTimeIsOneRectangleWhereNothingIsTaken() {
        var sometime = new Demand(new Window(Long.MIN_VALUE, FOR_EVER), FOR_EVER, 1, Long.MIN_VALUE);

        assertThat(CapacityProfile.of(8).rectangles(sometime, 8))
                .isEqualTo(List.of(
                        new Rectangle(Long.MIN_VALUE, 8, Long.MIN_VALUE, FOR_EVER),
                        new Rectangle(0, 8, Long.MIN_VALUE, FOR_EVER)));
    }

    @Test
    void rectanglesLeaveOutPesThatMustStayFree() {
        assertThat(profile.rectangles(request, 6))
                .containsExactly(
                        new Rectangle(12, 4, 10, 40), new Rectangle(20, 6, 20, 40), new Rectangle(30, 6, 20, 40));
        assertThat(profile.place(request, 6, PlacementPolicy.FIRST_FIT)).hasValue(12);
        assertThat(profile.place(request, 4, PlacementPolicy.FIRST_FIT)).hasValue(20);
        assertThat(profile.place(request, 6, PlacementPolicy.PE_BEST_FIT)).hasValue(12);
    }

    @Test
    void refusesToSpareFewerThanNoneOrMoreThanAll() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile.rectangles(request, 9))
                .withMessage("The PEs that may be taken (9) must lie between 0 and the 8 PEs of the profile.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile.place(request, -1, PlacementPolicy.FIRST_FIT))
                .withMessage("The PEs that may be taken (-1) must lie between 0 and the 8 PEs of the profile.");
        assertThat(profile.rectangles(request, 0)).isEmpty();
    }
}
