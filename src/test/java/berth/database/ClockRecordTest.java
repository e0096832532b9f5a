package berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import berth.database.ClockRecord.Beat;
import berth.database.ClockRecord.Witness;
import berth.runtime.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which clocks a start trusts. */
class ClockRecordTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

    private final Beat last = new Beat(NOON, "first boot", Duration.ofDays(3));

    /** Returns the doubt for a clock that advanced by {@code clock} while the machine was up for {@code up}. */
    private Optional<String> doubt(Duration clock, Duration up) {
        var present =
                new Beat(NOON.plus(clock), "first boot", Duration.ofDays(3).plus(up));
        return ClockRecord.doubt(Optional.of(last), present, new Witness(present.at(), false));
    }

    private Optional<String> doubtAfterBoot(Duration clock, boolean isElsewhere) {
        var present = new Beat(NOON.plus(clock), "second boot", Duration.ofMinutes(1));
        return ClockRecord.doubt(Optional.of(last), present, new Witness(present.at(), isElsewhere));
    }

    @Test
    void aDowntimeNoLongerThanTheUptimeIsBelieved() {
        assertThat(doubt(Duration.ofDays(40), Duration.ofDays(40).plusSeconds(200)))
                .isEmpty();
        assertThat(doubt(Duration.ofSeconds(5), Duration.ofSeconds(5))).isEmpty();
    }

    @Test
    void aClockThatIsAheadOfTheUptimeIsNotBelieved() {
        assertThat(doubt(Duration.ofDays(10), Duration.ofMinutes(1)))
                .hasValueSatisfying(why -> assertThat(why).contains("2027-01-11T12:00:00Z", "up for PT1M"));
        assertThat(doubt(Duration.ofMinutes(6), Duration.ZERO)).isPresent();
    }

    @Test
    void aClockThatIsBehindIsNotBelieved() {
        assertThat(doubt(Duration.ofMinutes(-6), Duration.ZERO)).isPresent();
        assertThat(doubtAfterBoot(Duration.ofMinutes(-6), true)).isPresent();
        assertThat(doubt(Duration.ofDays(1), Duration.ofDays(2))).isPresent();
    }

    @Test
    void afterABootAWeekIsBelievedAndMoreIfAnotherMachineAgrees() {
        assertThat(doubtAfterBoot(Duration.ofDays(7), false)).isEmpty();
        assertThat(doubtAfterBoot(Duration.ofDays(8), false)).isPresent();
        assertThat(doubtAfterBoot(Duration.ofDays(8), true)).isEmpty();
    }

    @Test
    void aShorterUptimeMeansAnotherBoot() {
        var present = new Beat(NOON.plus(Duration.ofDays(2)), "first boot", Duration.ofMinutes(1));

        assertThat(ClockRecord.doubt(Optional.of(last), present, new Witness(present.at(), false)))
                .isEmpty();
    }

    @Test
    void theClockOfTheDatabaseMustAgreeWithinFiveMinutes() {
        var present = new Beat(NOON, "first boot", Duration.ZERO);

        assertThat(ClockRecord.doubt(Optional.empty(), present, new Witness(NOON.minusSeconds(301), true)))
                .hasValueSatisfying(why -> assertThat(why).contains("the database's clock says 2027-01-01T11:54:59Z"));
        assertThat(ClockRecord.doubt(Optional.empty(), present, new Witness(NOON.plusSeconds(301), true)))
                .isPresent();
        assertThat(ClockRecord.doubt(Optional.empty(), present, new Witness(NOON.minusSeconds(300), true)))
                .isEmpty();
    }

    @Test
    void theBootOrElseTheAddressShowsWhetherAServerIsElsewhere() {
        assertThat(ClockRecord.isElsewhere(Optional.of(Uptime.boot()), "192.0.2.7"))
                .isFalse();
        assertThat(ClockRecord.isElsewhere(Optional.of("another boot"), "127.0.0.1"))
                .isTrue();
        assertThat(ClockRecord.isElsewhere(Optional.empty(), "192.0.2.7")).isTrue();
        assertThat(ClockRecord.isElsewhere(Optional.empty(), "127.0.0.1")).isFalse();
        assertThat(ClockRecord.isElsewhere(Optional.empty(), null)).isFalse();
    }
}
