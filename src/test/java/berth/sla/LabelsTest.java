package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelsTest {

    @ParameterizedTest
    @CsvSource({
        "256, 512, true",
        "512, 512, true",
        "1024, 512, false",
        // as numbers, not letter by letter
        "9, 10, true",
        "10, 9, false",
        "0, 0, true",
        "100000000000000000000000000000000000000000000000000000000000000, 99999999999999999999999999999999999999999, false",
        // versions and other texts are carried as they are, or not at all
        "8.9, 8.10, false",
        "8.10, 8.9, false",
        "8.10, 8.10, true",
        "8.1, 8.10, false",
        "1.5, 2, false",
        "v8, v9, false",
        "8, v9, false",
        "8, 8.0, false",
        "007, 7, false",
        "007, 008, false",
        "a100, h100, false",
        "256G, 512G, false",
    })
    void requiredNumbersAreMinimaAndOtherLabelsMustBeEqual(String required, String carried, boolean isMet) {
        assertThat(Labels.missing(Map.of("mem", required), Map.of("mem", carried))
                        .isEmpty())
                .isEqualTo(isMet);
    }

    @Test
    void theLabelThatIsFurthestFromTheRequiredOneIsNamed() {
        var carried = Map.of("mem", "256", "cores", "8", "gpu", "a100");

        assertThat(Labels.missing(Map.of("mem", "512", "cores", "32", "gpu", "a100"), carried))
                .hasValue(new Violation("requires", "the cluster carries cores=8, which is less than 32", 4));
        assertThat(Labels.missing(Map.of("mem", "512", "gpu", "h100"), carried))
                .hasValue(new Violation("requires", "the cluster does not carry gpu=h100"));
        assertThat(Labels.missing(Map.of("disk", "1"), carried))
                .hasValue(new Violation("requires", "the cluster does not carry disk=1"));
    }
}
