package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeSetTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "7", "63", "64", "0-1", "0-31,40", "3,5-8,63-64,127-200", "99999"})
    void isParsedFromItsOwnText(String text) {
        assertThat(PeSet.parse(text)).hasToString(text);
    }

    @Test
    void writesNeighboursAsARange() {
        assertThat(PeSet.of(4, 2, 3, 9, 0)).hasToString("0,2-4,9");
        assertThat(PeSet.range(0, 32).or(PeSet.of(40))).hasToString("0-31,40");
        assertThat(PeSet.parse("1,2,3")).isEqualTo(PeSet.range(1, 4)).hasToString("1-3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a             | 'a' is neither a PE nor a range of PEs: write them as in 0-31,40.",
                "1,,2          | '' is neither a PE",
                "1,            | '' is neither a PE",
                "-1            | '-1' is neither a PE",
                "1-            | '1-' is neither a PE",
                "1-2-3         | '1-2-3' is neither a PE",
                "1, 2          | ' 2' is neither a PE",
                "1234567890    | '1234567890' is neither a PE",
                "٣             | '٣' is neither a PE",
                "2-1           | '2-1' is out of order: name each PE once, the lowest first.",
                "5,4           | '4' is out of order",
                "5,5           | '5' is out of order",
                "1-5,5         | '5' is out of order",
            })
    void namesTheFaultOfAMalformedText(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> PeSet.parse(text)).withMessageStartingWith(message);
    }

    @Test
    void isMadeOfNumbersThatAreNotNegative() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> PeSet.of(-1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> PeSet.range(2, 1));
    }

    @Test
    void knowsItsSizeAndLength() {
        assertThat(PeSet.NONE.isEmpty()).isTrue();
        assertThat(PeSet.NONE.length()).isZero();
        assertThat(PeSet.NONE.size()).isZero();
        var set = PeSet.of(3, 64, 70);
        assertThat(set.isEmpty()).isFalse();
        assertThat(set.length()).isEqualTo(71);
        assertThat(set.size()).isEqualTo(3);
        assertThat(PeSet.of(63).length()).isEqualTo(64);
    }

    @Test
    void containsItsPes() {
        var set = PeSet.of(3, 64);
        assertThat(set.contains(3)).isTrue();
        assertThat(set.contains(64)).isTrue();
        assertThat(set.contains(0)).isFalse();
        assertThat(set.contains(67)).isFalse();
        assertThat(set.contains(128)).isFalse();
        assertThat(set.contains(-61)).isFalse();
        assertThat(set.contains(-1)).isFalse();
        assertThat(PeSet.of(0).contains(0)).isTrue();
    }

    @Test
    void returnsItsLowestPes() {
        var set = PeSet.parse("3,5-8,63-64,127-200");
        assertThat(set.lowest(0)).isEqualTo(PeSet.NONE);
        assertThat(set.lowest(1)).hasToString("3");
        assertThat(set.lowest(3)).hasToString("3,5-6");
        assertThat(set.lowest(6)).hasToString("3,5-8,63");
        assertThat(set.lowest(7)).hasToString("3,5-8,63-64");
        assertThat(set.lowest(set.size())).isEqualTo(set);
        assertThat(PeSet.range(0, 128).lowest(64)).isEqualTo(PeSet.range(0, 64));
        assertThat(PeSet.range(0, 128).lowest(65)).isEqualTo(PeSet.range(0, 65));
    }

    @Test
    void rejectsAChoiceOfMorePesThanItHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeSet.of(4, 5).lowest(3))
                .withMessage("Cannot choose 3 PEs of {4-5}, which has 2.");
        assertThatIllegalArgumentException().isThrownBy(() -> PeSet.of(4, 5).lowest(-1));
    }

    @Test
    void setsOfTheSamePesAreEqual() {
        var some = PeSet.of(1, 200);
        assertThat(some.minus(PeSet.of(200))).isEqualTo(PeSet.of(1)).hasSameHashCodeAs(PeSet.of(1));
        assertThat(some.and(PeSet.range(0, 100))).isEqualTo(PeSet.of(1));
        assertThat(some.minus(some)).isEqualTo(PeSet.NONE).isSameAs(PeSet.NONE);
        assertThat(some).isNotEqualTo(PeSet.of(1)).isNotEqualTo("1,200");
        assertThat(some.hashCode()).isNotEqualTo(PeSet.of(1).hashCode());
    }

    @Test
    void matchesBitSetOperations() {
        var random = new Random(1);
        for (int i = 0; i < 3000; i++) {
            var a = bits(random);
            var b = bits(random);
            var one = PeSet.ofWords(a.toLongArray());
            var other = PeSet.ofWords(b.toLongArray());
            var or = (BitSet) a.clone();
            or.or(b);
            var and = (BitSet) a.clone();
            and.and(b);
            var minus = (BitSet) a.clone();
            minus.andNot(b);
            assertThat(one.or(other)).isEqualTo(PeSet.ofWords(or.toLongArray()));
            assertThat(one.and(other)).isEqualTo(PeSet.ofWords(and.toLongArray()));
            assertThat(one.minus(other)).isEqualTo(PeSet.ofWords(minus.toLongArray()));
            assertThat(one.intersects(other)).isEqualTo(a.intersects(b));
            assertThat(one.containsAll(other)).isEqualTo(and.equals(b));
            assertThat(one.containsAll(PeSet.ofWords(and.toLongArray()))).isTrue();
            assertThat(one.size()).isEqualTo(a.cardinality());
            assertThat(one.length()).isEqualTo(a.length());
            assertThat(PeSet.parse(one.toString())).isEqualTo(one).hasSameHashCodeAs(one);
            assertThat(one.words()).isEqualTo(a.toLongArray());
            int some = random.nextInt(one.size() + 1);
            assertThat(one.lowest(some))
                    .isEqualTo(PeSet.of(a.stream().limit(some).toArray()));
        }
    }

    /** Creates so many narrow runs on the last PEs of the largest cluster that no heap could hold them with a bit for every lower PE. */
    @Test
    void aSmallSetOfHighPesTakesLittleMemory() {
        var last = PeSet.range(9_999_000, 10_000_000);
        var runs = IntStream.range(0, 100_000)
                .mapToObj(run -> last.minus(last.lowest(run % 999)).lowest(1))
                .toList();

        assertThat(runs).hasSize(100_000);
        assertThat(runs.getLast()).hasToString(Integer.toString(9_999_000 + 99_999 % 999));
    }

    private static BitSet bits(Random random) {
        var bits = new BitSet();
        int length = 1 + random.nextInt(200);
        int before = 100 * random.nextInt(3);
        for (int i = random.nextInt(6); i > 0; i--) {
            int from = random.nextInt(length);
            bits.set(before + from, before + from + 1 + random.nextInt(length - from), random.nextInt(4) > 0);
        }
        return bits;
    }
}
