package berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import berth.engine.DeskConfiguration;
import berth.engine.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class TimekeeperTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

    private final SettableClock clock = new SettableClock(NOON);
    private Duration up = Duration.ofDays(3);
    private boolean isUnreadable;
    private final Timekeeper timekeeper = new Timekeeper(clock, () -> up.toNanos(), this::uptime);

    private Duration uptime() {
        if (isUnreadable) {
            throw new UncheckedIOException(new IOException("Too many open files"));
        }
        return up;
    }

    /** Lets time pass, on the clock too. */
    private void pass(Duration time) {
        up = up.plus(time);
        clock.advance(time);
    }

    @Test
    void aClockThatKeepsPaceWithUptimeIsBelieved() {
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofMinutes(10));
            clock.advance(Duration.ofSeconds(5));

            assertThat(timekeeper.instant()).isEqualTo(clock.instant());
            assertThat(timekeeper.jump()).isEmpty();
        }
    }

    @Test
    void anUptimeThatCannotBeReadForAWhileChangesNothing() {
        isUnreadable = true;
        pass(Duration.ofMinutes(10));
        assertThat(timekeeper.instant()).isEqualTo(clock.instant());

        clock.advance(Duration.ofDays(10));
        pass(Duration.ofMinutes(1));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(660));
        assertThat(timekeeper.jump()).contains(Duration.ofDays(10));

        isUnreadable = false;
        clock.advance(Duration.ofDays(-10));
        pass(Duration.ofMinutes(1));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(720));
        assertThat(timekeeper.jump()).isEmpty();
    }

    @Test
    void aDemosTimeRunsFasterFromThenOnAndRealTimeGoesOnBeside() {
        pass(Duration.ofMinutes(1));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60));

        timekeeper.speedUp(60);
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60));

        pass(Duration.ofMillis(1500));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60 + 90));
        assertThat(timekeeper.realTime().instant()).isEqualTo(clock.instant());
        assertThat(timekeeper.jump()).isEmpty();

        timekeeper.speedUp(2);
        pass(Duration.ofSeconds(10));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60 + 90 + 20));
    }

    @Test
    void aJumpOfTheClockDoesNotMoveAFastTimeEither() {
        timekeeper.speedUp(60);
        clock.advance(Duration.ofDays(10));
        pass(Duration.ofMinutes(1));

        assertThat(timekeeper.instant()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(timekeeper.jump()).contains(Duration.ofDays(10));
    }

    @Test
    void aSmallCorrectionOfTheClockIsBelieved() {
        clock.advance(Duration.ofMinutes(5));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(300));

        clock.advance(Duration.ofMinutes(-10));
        assertThat(timekeeper.instant()).isEqualTo(NOON.minusSeconds(300));
    }

    @Test
    void timeIgnoresAJumpOfTheClockAhead() {
        clock.advance(Duration.ofDays(10));
        pass(Duration.ofMinutes(1));

        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60));
        assertThat(timekeeper.jump()).contains(Duration.ofDays(10));
        pass(Duration.ofMillis(300));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60).plusMillis(300));
        pass(Duration.ofHours(2));
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(7260).plusMillis(300));
    }

    @Test
    void timeIgnoresAJumpOfTheClockBack() {
        clock.advance(Duration.ofHours(-1));
        pass(Duration.ofMinutes(1));

        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(60));
        assertThat(timekeeper.jump()).contains(Duration.ofHours(-1));
    }

    @Test
    void timeGoesOnWhileTheClockStandsStill() {
        up = up.plus(Duration.ofMinutes(6));

        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(360));
        up = up.plusMillis(1500);
        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(361).plusMillis(500));
    }

    @Test
    void manySmallStepsCountAsAJump() {
        for (int i = 0; i < 30; i++) {
            pass(Duration.ofSeconds(10));
            clock.advance(Duration.ofSeconds(15));
        }

        assertThat(timekeeper.instant()).isEqualTo(NOON.plusSeconds(300));
    }

    @Test
    void aClockThatIsCorrectedIsBelievedAgain() {
        clock.advance(Duration.ofDays(10));
        timekeeper.instant();
        clock.advance(Duration.ofDays(-10));
        pass(Duration.ofSeconds(30));

        assertThat(timekeeper.instant()).isEqualTo(clock.instant());
        assertThat(timekeeper.jump()).isEmpty();
    }

    /** One thread reads the clock, the clock is corrected, another thread sees that, and the first one continues. */
    @Test
    void aReadingFromBeforeACorrectionOfTheClockIsNotBelieved() {
        var corrected = new AtomicBoolean(true);
        var another = new ArrayList<Timekeeper>();
        InstantSource read = () -> {
            var shown = clock.instant();
            if (!corrected.getAndSet(true)) {
                clock.set(NOON);
                another.forEach(Timekeeper::instant);
            }
            return shown;
        };
        var one = new Timekeeper(read, () -> up.toNanos(), () -> up);
        another.add(one);
        clock.advance(Duration.ofDays(10));
        assertThat(one.instant()).isEqualTo(NOON);

        corrected.set(false);

        assertThat(one.instant()).isEqualTo(NOON);
    }

    @Test
    void anOperatorMayAcceptTheClock() {
        clock.advance(Duration.ofDays(10));
        timekeeper.instant();
        timekeeper.accept();

        assertThat(timekeeper.instant()).isEqualTo(NOON.plus(Duration.ofDays(10)));
        assertThat(timekeeper.jump()).isEmpty();
    }

    @Test
    void healthIsDownAndNamesTheRemedyWhileTheClockIsNotBelieved() {
        var health = new DeskConfiguration().clockHealthIndicator(timekeeper);
        assertThat(health.health()).isEqualTo(Health.up().build());

        clock.advance(Duration.ofDays(10));
        timekeeper.instant();

        var down = Objects.requireNonNull(health.health());
        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .hasEntrySatisfying(
                        "jump",
                        what -> assertThat(what.toString())
                                .contains("PT240H ahead", "Correct the clock", "BERTH_TIME_ACCEPT"));
        clock.set(NOON);
        timekeeper.instant();
        assertThat(health.health()).isEqualTo(Health.up().build());
    }
}
