package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void estimatesTheIntervalByStudentsDistribution() {
        Estimate estimate = new Sample(List.of(2.0, 4.0, 6.0)).estimate();

        assertThat(estimate.mean()).isEqualTo(4);
        // t of 2 degrees of freedom is 4.3027, the standard error 2 / sqrt 3
        assertThat(estimate.halfWidth()).isCloseTo(4.302653 * 2 / Math.sqrt(3), within(1e-5));
        assertThat(estimate).hasToString("4.000 ± 4.968");
    }

    @Test
    void widensTheIntervalOfASampleThatWasChosenAmongMany() {
        Sample sample = new Sample(List.of(2.0, 4.0, 6.0));

        assertThat(sample.estimateAmong(1)).isEqualTo(sample.estimate());
        assertThat(sample.estimateAmong(50).mean()).isEqualTo(4);
        // t of 2 degrees of freedom is 31.5991 if each tail has 0.0005
        assertThat(sample.estimateAmong(50).halfWidth()).isCloseTo(31.599055 * 2 / Math.sqrt(3), within(1e-4));
    }

    @Test
    void drawsNoConclusionsFromASingleValue() {
        Estimate estimate = new Sample(List.of(7.0)).estimate();

        assertThat(estimate.mean()).isEqualTo(7);
        assertThat(estimate.isAbove(-1e9)).isFalse();
        assertThat(estimate.isBelow(1e9)).isFalse();
    }

    @Test
    void comparesRepetitionByRepetition() {
        Sample low = new Sample(List.of(10.0, 50.0, 90.0));
        Sample high = new Sample(List.of(11.0, 51.1, 90.9));

        assertThat(high.isAbove(low)).isTrue();
        assertThat(low.isAbove(high)).isFalse();
        assertThat(low.isAbove(low)).isFalse();
        assertThat(high.minus(low).mean()).isCloseTo(1, within(1e-9));
    }

    @Test
    void refusesToPairSamplesOfDifferentLength() {
        Sample two = new Sample(List.of(1.0, 2.0));
        Sample one = new Sample(List.of(1.0));

        assertThatThrownBy(() -> two.minus(one)).hasMessageContaining("2 and 1");
        assertThatThrownBy(() -> new Sample(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
