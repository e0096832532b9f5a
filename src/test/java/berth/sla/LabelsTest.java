package berth.sla;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelsTest {

    @Test
    void areWordsWithValues() {
        assertThatCode(() -> Labels.require("requires", Map.of("gpu", "a100", "example.org/site_2", "North-1")))
                .doesNotThrowAnyException();
        assertThatCode(() -> Labels.require("requires", labels(64))).doesNotThrowAnyException();
    }

    @Test
    void areRefusedUnderTheNameOfTheirField() {
        assertRefused(Map.of("", "a100"));
        assertRefused(Map.of("gpu", ""));
        assertRefused(Map.of("gpu", "two words"));
        assertRefused(Map.of("-gpu", "a100"));
        assertRefused(Map.of("gpu", "é"));
        assertRefused(Map.of("g".repeat(64), "a100"));
        assertRefused(labels(65));
    }

    private static void assertRefused(Map<String, String> labels) {
        assertThatExceptionOfType(InvalidFigure.class)
                .isThrownBy(() -> Labels.require("requires", labels))
                .returns("requires", InvalidFigure::field);
    }

    private static Map<String, String> labels(int count) {
        return IntStream.range(0, count).boxed().collect(toMap(number -> "label" + number, _ -> "x"));
    }
}
