package berth.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {

    private static final Window WINDOW = new Window(100, 160);

    @Test
    void isLongEnoughForARunThatIsAsLong() {
        assertThat(WINDOW.isLongEnoughFor(1)).isTrue();
        assertThat(WINDOW.isLongEnoughFor(60)).isTrue();
        assertThat(WINDOW.isLongEnoughFor(61)).isFalse();
        assertThat(WINDOW.isLongEnoughFor(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void isLongEnoughForAnyRunIfItIsAllTime() {
        var allTime = new Window(Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(allTime.isLongEnoughFor(Long.MAX_VALUE)).isTrue();
        var beginning = new Window(Long.MIN_VALUE, Long.MIN_VALUE + 5);
        assertThat(beginning.isLongEnoughFor(5)).isTrue();
        assertThat(beginning.isLongEnoughFor(6)).isFalse();
    }
}
