package berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.booking.terms.TermsBody;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class FieldsTest {

    private final Fields fields = new Fields();

    @Test
    void anInstantLiesInAYearThatCanBeWritten() {
        assertThat(fields.instantDown("from", "9999-12-31T23:59:59.9Z")).isEqualTo(OptionalLong.of(253_402_300_799L));
        assertThat(fields.instantUp("from", "1970-01-01T00:00:00Z")).isEqualTo(OptionalLong.of(0));
        fields.check();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9999-12-31T23:59:59.1Z",
                "9999-12-31T23:59:59-18:00",
                "1970-01-01T00:00:00+18:00",
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z"
            })
    void anInstantThatWouldBeAnsweredInAnotherYearIsRefused(String instant) {
        assertThat(fields.instantUp("from", instant)).isEmpty();
    }

    /** Browsers write instants with milliseconds. */
    @ParameterizedTest
    @ValueSource(strings = {"00Z", "00.5Z", "00.001Z", "00.999999999Z"})
    void aRunThatIsAsLongAsItsWindowFitsInto(String second) {
        var body = new JsonMapper()
                .readValue(
                        "{\"duration\":\"PT1H\",\"pes\":1,\"readyTime\":\"2027-01-01T14:00:%s\",\"deadline\":\"2027-01-01T15:00:%s\"}"
                                .formatted(second, second),
                        TermsBody.class);

        var terms = TermsBody.read(body, fields, 0);

        fields.check();
        assertThat(terms.deadline().getAsLong() - terms.readyTime().getAsLong()).isEqualTo(3600);
        assertThat(terms.readyTime().getAsLong())
                .isGreaterThanOrEqualTo(
                        Instant.parse("2027-01-01T14:00:" + second).getEpochSecond());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-99999999", "10000000", "5-9999999,10000000", "0-99999999,5"})
    void aPeBeyondTheLargestClusterIsRejected(String pes) {
        assertThat(fields.peIds("peIds", pes)).isEmpty();
        assertThat(fields.hasErrors()).isTrue();
    }

    @Test
    void theSetsOfARequestHaveABoundTogether() {
        int accepted = 0;
        while (fields.at("jobs[%d]".formatted(accepted))
                .peIds("peIds", "0,9999999")
                .isPresent()) {
            accepted++;
        }

        // each takes 1.2 MB
        assertThat(accepted).isBetween(10, 20);
        assertThat(fields.peIds("peIds", "0-31")).isEmpty();
        assertThatThrownBy(fields::check).isInstanceOf(Problem.class);
    }

    @Test
    void manySmallSetsAreRead() {
        for (int job = 0; job < 10_000; job++) {
            assertThat(fields.peIds("peIds", "%d-%d".formatted(job, job + 1_000)))
                    .isPresent();
        }
        fields.check();
    }
}
