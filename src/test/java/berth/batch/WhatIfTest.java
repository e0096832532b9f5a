package berth.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.batch.Impact.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Paper 001, equation 4. */
class WhatIfTest {

    private static final Figures SHORT = new Figures(800, 300);
    private static final Figures LONG = new Figures(1_000, 240);

    @Test
    void weighsHowFarAPlanIsFromTheBestInEachFigure() {
        var measure = WhatIf.among(List.of(SHORT, LONG), 0.25);

        assertThat(measure.availability(SHORT)).isCloseTo(0.25 + 0.75 * 0.8, within(1e-12));
        assertThat(measure.availability(LONG)).isCloseTo(0.25 * 0.8 + 0.75, within(1e-12));
    }

    @Test
    void oneFigureMayCountAlone() {
        assertThat(WhatIf.among(List.of(SHORT, LONG), 1).availability(LONG)).isEqualTo(0.8);
        assertThat(WhatIf.among(List.of(SHORT, LONG), 0).availability(LONG)).isEqualTo(1);
    }

    @Test
    void theBestIsOneWhateverTheWeightsAndAlsoIfItTakesNoTime() {
        var nothing = new Figures(0, 0);
        for (int percent = 0; percent <= 100; percent++) {
            assertThat(WhatIf.among(List.of(LONG), percent / 100.0).availability(LONG))
                    .isEqualTo(1);
            assertThat(WhatIf.among(List.of(nothing), percent / 100.0).availability(nothing))
                    .isEqualTo(1);
        }
    }
}
