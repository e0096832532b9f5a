package berth.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UsedKeysTest {

    private final SettableClock clock = new SettableClock(Instant.parse("2026-10-01T12:30:00Z"));
    private final UsedKeys used = new UsedKeys(clock, 3);

    @Test
    void untilAllAreInMindAnyKeyMayHaveBeenUsed() {
        assertThat(used.mayHave("alice", "k")).isTrue();

        used.complete();

        assertThat(used.mayHave("alice", "k")).isFalse();
    }

    @Test
    void whatWasNotedWasUsedByThatAccountAlone() {
        used.note("alice", "before");
        used.complete();
        used.note("alice", "after");

        assertThat(used.mayHave("alice", "before")).isTrue();
        assertThat(used.mayHave("alice", "after")).isTrue();
        assertThat(used.mayHave("bob", "after")).isFalse();
    }

    @Test
    void aKeyIsInMindAsLongAsItCountsAndForgottenSoonAfter() {
        used.complete();
        used.note("alice", "k");

        clock.advance(Keys.LIFE);
        used.note("alice", "other");
        assertThat(used.mayHave("alice", "k")).isTrue();

        clock.advance(Duration.ofHours(2));
        used.note("alice", "third");
        assertThat(used.mayHave("alice", "k")).isFalse();
        assertThat(used.size()).isEqualTo(2);
    }

    @Test
    void whereThereAreTooManyNoKeyIsCalledNewUntilThoseGivenUpDoNotCount() {
        used.complete();
        for (int i = 0; i < 4; i++) {
            used.note("alice", "k" + i);
            clock.advance(Duration.ofHours(1));
        }
        assertThat(used.size()).isEqualTo(3);
        assertThat(used.mayHave("alice", "new")).isTrue();

        // the first, given up, was noted between 12 and 13 o'clock, and counts for a day at most
        clock.advance(Duration.ofHours(20));
        assertThat(used.mayHave("alice", "new")).isTrue();
        clock.advance(Duration.ofHours(1));
        assertThat(used.mayHave("alice", "new")).isFalse();
        assertThat(used.mayHave("alice", "k3")).isTrue();
    }

    @Test
    void whereThoseOfBeforeWereTooManyItIsNotSureForADay() {
        for (int i = 0; i < 4; i++) {
            used.note("alice", "k" + i);
        }
        used.complete();

        assertThat(used.mayHave("alice", "new")).isTrue();
        clock.advance(Keys.LIFE.plusHours(1));
        assertThat(used.mayHave("alice", "new")).isFalse();
    }

    @Test
    void whereTheClockHasGoneBackAnyKeyMayHaveBeenUsed() {
        used.complete();
        used.note("alice", "k");
        clock.advance(Duration.ofDays(3));
        used.note("alice", "later");
        assertThat(used.mayHave("alice", "k")).isFalse();

        clock.advance(Duration.ofDays(-3));

        assertThat(used.mayHave("alice", "k")).isTrue();
        assertThat(used.mayHave("alice", "new")).isTrue();
    }
}
