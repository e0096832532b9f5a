package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UptimeTest {

    @Test
    void theUptimeAdvances() {
        var before = Uptime.uptime();

        while (Uptime.uptime().equals(before)) {
            Thread.onSpinWait();
        }
        assertThat(Uptime.uptime()).isGreaterThan(before);
        assertThat(Uptime.boot()).isNotBlank().isEqualTo(Uptime.boot());
    }

    /** Some channels of Java close for good when a thread that reads them is interrupted. */
    @Test
    void theUptimeIsReadInAnInterruptedThread() {
        Thread.currentThread().interrupt();
        try {
            assertThat(Uptime.uptime()).isPositive();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(Uptime.uptime()).isPositive();
    }
}
