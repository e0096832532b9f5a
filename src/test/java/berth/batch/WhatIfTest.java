package berth.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.batch.Impact.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks paper 001, equation 4. */
class WhatIfTest {

    private static final Figures SHORT = new Figures(3, 800, 300);
    private static final Figures LONG = new Figures(3, 1_000, 240);

    @Test
    void weighsTheDistanceOfAPlanFromTheBestInEachFigure() {
        var measure = WhatIf.among(List.of(SHORT, LONG), 0.25);

        assertThat(measure.availability(SHORT)).isCloseTo(0.25 + 0.75 * 0.8, within(1e-12));
        assertThat(measure.availability(LONG)).isCloseTo(0.25 * 0.8 + 0.75, within(1e-12));
    }

    @Test
    void theWeightsMayLeaveOneFigureAlone() {
        assertThat(WhatIf.among(List.of(SHORT, LONG), 1).availability(LONG)).isEqualTo(0.8);
        assertThat(WhatIf.among(List.of(SHORT, LONG), 0).availability(LONG)).isEqualTo(1);
    }

    @Test
    void theBestPlanHasAvailabilityOneUnderAllWeights() {
        var nothing = new Figures(0, 0, 0);
        for (int percent = 0; percent <= 100; percent++) {
            assertThat(WhatIf.among(List.of(LONG), percent / 100.0).availability(LONG))
                    .isEqualTo(1);
            assertThat(WhatIf.among(List.of(nothing), percent / 100.0).availability(nothing))
                    .isEqualTo(1);
        }
    }

    /** Its times are those of the other jobs and do not count against plans in which all jobs end. */
    @Test
    void aPlanInWhichFewerJobsEndIsWorseButStillAboveZero() {
        var muchLater = new Figures(3, 1_000_000_000, 1e9);
        var oneNever = new Figures(2, 100, 50);
        var allNever = new Figures(0, 0, 0);
        for (int percent = 0; percent <= 100; percent++) {
            var measure = WhatIf.among(List.of(allNever, SHORT, oneNever, muchLater), percent / 100.0);

            assertThat(measure.availability(SHORT)).isEqualTo(1);
            assertThat(measure.availability(oneNever)).isPositive().isLessThan(measure.availability(muchLater));
            assertThat(measure.availability(allNever)).isPositive().isLessThan(measure.availability(muchLater));
        }
    }

    @Test
    void timesDecideBetweenPlansInWhichEquallyManyJobsEnd() {
        var few = new Figures(2, 800, 300);

        assertThat(WhatIf.among(List.of(few, new Figures(2, 1_000, 300)), 1).availability(few))
                .isEqualTo(1);
        assertThat(WhatIf.among(List.of(few, new Figures(2, 400, 300)), 1).availability(few))
                .isEqualTo(0.5);
    }

    @Test
    void anImpactComparesTheTimesOfEquallyManyJobs() {
        assertThat(Impact.of(SHORT, LONG)).contains(new Impact(SHORT, LONG));
        assertThat(Impact.of(SHORT, new Figures(2, 800, 300))).isEmpty();
        assertThat(Impact.of(new Figures(0, 0, 0), new Figures(0, 0, 0))).isEmpty();
    }
}
