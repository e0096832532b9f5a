package berth.engine;

import static berth.engine.DeskSituation.ALICE;
import static berth.engine.DeskSituation.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UsedKeysTest {

    private final SettableClock clock = new SettableClock(Instant.parse("2026-10-01T12:30:00Z"));
    private final UsedKeys used = new UsedKeys(clock, 3);

    @Test
    void anyKeyMayHaveBeenUsedUntilAllKeysAreLoaded() {
        assertThat(used.mayHave(ALICE, "k")).isTrue();

        used.complete();

        assertThat(used.mayHave(ALICE, "k")).isFalse();
    }

    @Test
    void aNotedKeyCountsOnlyForItsAccount() {
        used.note(ALICE, "before");
        used.complete();
        used.note(ALICE, "after");

        assertThat(used.mayHave(ALICE, "before")).isTrue();
        assertThat(used.mayHave(ALICE, "after")).isTrue();
        assertThat(used.mayHave(BOB, "after")).isFalse();
    }

    @Test
    void aKeyIsRememberedWhileItIsValidAndForgottenSoonAfter() {
        used.complete();
        used.note(ALICE, "k");

        clock.advance(Keys.LIFE);
        used.note(ALICE, "other");
        assertThat(used.mayHave(ALICE, "k")).isTrue();

        clock.advance(Duration.ofHours(2));
        used.note(ALICE, "third");
        assertThat(used.mayHave(ALICE, "k")).isFalse();
        assertThat(used.size()).isEqualTo(2);
    }

    @Test
    void whenKeysAreDroppedEveryKeyMayHaveBeenUsedUntilTheDroppedOnesExpire() {
        used.complete();
        for (int i = 0; i < 4; i++) {
            used.note(ALICE, "k" + i);
            clock.advance(Duration.ofHours(1));
        }
        assertThat(used.size()).isEqualTo(3);
        assertThat(used.mayHave(ALICE, "new")).isTrue();

        // the first one, which was forgotten, was noted between 12 and 13 o'clock and is valid for at most a day
        clock.advance(Duration.ofHours(20));
        assertThat(used.mayHave(ALICE, "new")).isTrue();
        clock.advance(Duration.ofHours(1));
        assertThat(used.mayHave(ALICE, "new")).isFalse();
        assertThat(used.mayHave(ALICE, "k3")).isTrue();
    }

    @Test
    void ifTooManyKeysAreLoadedEveryKeyMayHaveBeenUsedForADay() {
        for (int i = 0; i < 4; i++) {
            used.note(ALICE, "k" + i);
        }
        used.complete();

        assertThat(used.mayHave(ALICE, "new")).isTrue();
        clock.advance(Keys.LIFE.plusHours(1));
        assertThat(used.mayHave(ALICE, "new")).isFalse();
    }

    @Test
    void afterTheClockHasGoneBackAnyKeyMayHaveBeenUsed() {
        used.complete();
        used.note(ALICE, "k");
        clock.advance(Duration.ofDays(3));
        used.note(ALICE, "later");
        assertThat(used.mayHave(ALICE, "k")).isFalse();

        clock.advance(Duration.ofDays(-3));

        assertThat(used.mayHave(ALICE, "k")).isTrue();
        assertThat(used.mayHave(ALICE, "new")).isTrue();
    }
}
