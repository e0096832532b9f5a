package berth.lab.experiment.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankCorrelationTest {
    @Test
    void isOneForTheSameOrderAndMinusOneForTheOpposite() {
        assertThat(RankCorrelation.of(List.of(1.0, 2.0, 9.0), List.of(-5.0, 0.0, 0.1)))
                .hasValue(1);
        assertThat(RankCorrelation.of(List.of(1.0, 2.0, 9.0), List.of(3.0, 2.0, 1.0)))
                .hasValue(-1);
    }

    @Test
    void isSpearmansFormulaWhereNoValuesAreEqual() {
        // 1 - 6 · (1 + 1 + 0 + 1 + 1) / (5 · 24)
        assertThat(RankCorrelation.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0), List.of(2.0, 1.0, 3.0, 5.0, 4.0))
                        .orElseThrow())
                .isCloseTo(0.8, within(1e-12));
    }

    @Test
    void sharesTheRanksOfEqualValues() {
        // ranks 1.5, 1.5, 3.5, 3.5 and 1, 2, 3, 4: 4 / sqrt(4 · 5)
        assertThat(RankCorrelation.of(List.of(0.0, 0.0, 1.0, 1.0), List.of(1.0, 2.0, 3.0, 4.0))
                        .orElseThrow())
                .isCloseTo(4 / Math.sqrt(20), within(1e-12));
    }

    @Test
    void isEmptyIfARowHasNoOrder() {
        assertThat(RankCorrelation.of(List.of(1.0, 1.0), List.of(1.0, 2.0))).isEmpty();
        assertThat(RankCorrelation.of(List.of(), List.of())).isEmpty();
        assertThatThrownBy(() -> RankCorrelation.of(List.of(1.0), List.of())).hasMessageContaining("1 and 0");
    }
}
