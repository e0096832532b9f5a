package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RectangleTest {

    @Test
    void hasALengthAndAnArea() {
        var rectangle = new Rectangle(20, 3, 10, 60);
        assertThat(rectangle.duration()).isEqualTo(50);
        assertThat(rectangle.area()).isEqualTo(150);
    }

    @Test
    void anEndlessRectangleHasTheLargestLengthAndArea() {
        var rectangle = new Rectangle(20, 1, 10, Long.MAX_VALUE);
        assertThat(rectangle.duration()).isEqualTo(Long.MAX_VALUE);
        assertThat(rectangle.area()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aLengthBeyondTheLargestNumberCountsAsEndless() {
        var rectangle = new Rectangle(0, 1, Long.MIN_VALUE, 0);
        assertThat(rectangle.duration()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Rectangle(0, 1, Long.MIN_VALUE + 1, 0).duration()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Rectangle(0, 1, Long.MIN_VALUE + 2, 0).duration()).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void aTooLargeAreaBecomesTheLargestNumber() {
        long third = Long.MAX_VALUE / 3;
        assertThat(new Rectangle(0, 3, 0, third).area()).isEqualTo(3 * third);
        assertThat(new Rectangle(0, 3, 0, third + 1).area()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Rectangle(0, 1 << 30, 0, 1L << 60).area()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Rectangle(0, 1 << 30, 0, 1L << 32).area()).isEqualTo(1L << 62);
    }
}
