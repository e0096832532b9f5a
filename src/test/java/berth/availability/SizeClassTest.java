package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeClassTest {

    @Test
    void classesFollowOneAnother() {
        SizeClass before = SizeClass.of(1);
        assertThat(before).isEqualTo(new SizeClass(1, 1));
        for (int pes = 2; pes < 100_000; pes++) {
            SizeClass size = SizeClass.of(pes);
            if (size.least() == pes) {
                assertThat(size.index()).as("%d", pes).isEqualTo(before.index() + 1);
            } else {
                assertThat(size).as("%d", pes).isEqualTo(before);
            }
            before = size;
        }
    }

    @Test
    void theLeastSizeOfAClassIsMoreThanTwoThirdsOfTheOthers() {
        for (int pes = 1; pes < 100_000; pes++) {
            assertThat(3 * SizeClass.of(pes).least()).as("%d", pes).isGreaterThan(2 * pes);
        }
        assertThat(SizeClass.of(Integer.MAX_VALUE).least()).isEqualTo(3 << 29);
    }
}
