package berth.series.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.http.Fields;
import berth.http.Problem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecurrenceBodyTest {

    @ParameterizedTest
    @ValueSource(strings = {"-0001-07-01T12:00", "0000-07-01T12:00", "+10000-01-01T12:00"})
    void aStartLiesInAYearThatCanBeWritten(String start) {
        var fields = new Fields();
        RecurrenceBody.read(new RecurrenceBody("FREQ=DAILY;COUNT=1", start, "UTC", null), fields);
        assertThatThrownBy(fields::check)
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.errors().getFirst().field()).isEqualTo("recurrence.dtstart"));
    }
}
