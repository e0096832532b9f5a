package berth.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficTest {
    private final Traffic.Converter converter = new Traffic.Converter();

    @Test
    void parsesACallWithOrWithoutARate() {
        assertThat(converter.convert("reserve")).isEqualTo(new Traffic(Traffic.Call.RESERVE, OptionalDouble.empty()));
        assertThat(converter.convert("probe@0.5")).isEqualTo(new Traffic(Traffic.Call.PROBE, OptionalDouble.of(0.5)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"probe", "reserve@1500", "probe@0.25"})
    void printsItsOwnSyntax(String text) {
        assertThat(converter.convert(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert", "PROBE", "probe@", "probe@fast", "probe@-1", "@5", "", "probe@1e3", "insert@5"})
    void rejectsAnUnknownCall(String text) {
        assertThatThrownBy(() -> converter.convert(text)).hasMessageContainingAll("is not a call", "probe", "reserve");
    }

    @ParameterizedTest
    @CsvSource({"probe@0, 0", "reserve@1000001, 1000001"})
    void rejectsAnImpossibleRate(String text, String rate) {
        assertThatThrownBy(() -> converter.convert(text))
                .hasMessageContainingAll("a rate of " + rate, "more than 0", "at most 1000000");
    }
}
