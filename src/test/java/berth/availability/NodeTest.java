package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Checks which faults the check of a tree finds. */
class NodeTest {

    @Test
    void aWellFormedTreeReturnsItsLevels() {
        assertThat(leaf(0, 1).check(true)).isEqualTo(1);
        assertThat(inner(leaves(2, 32)).check(true)).isEqualTo(2);
        assertThat(inner(leaves(32, 128)).check(false)).isEqualTo(2);
        assertThat(inner(inner(leaves(8, 32)), inner(leaves(8, 64))).check(true))
                .isEqualTo(3);
    }

    @Test
    void aLeafHasNeitherTooFewPointsNorTooMany() {
        assertWrong(leaf(0, 31), "points in a leaf [31]");
        assertWrong(leaf(0, 129), "points in a leaf [129]");
        assertThatIllegalStateException()
                .isThrownBy(() -> leaf(0, 129).check(true))
                .withMessage("The tree is out of order: points in a leaf [129]");
    }

    @Test
    void aLeafHasAValueForEachTime() {
        assertWrong(new Leaf(new long[40], new int[41]), "times and values [40, 41]");
    }

    @Test
    void anInnerNodeHasNeitherTooFewChildrenNorTooMany() {
        assertWrong(inner(leaves(7, 32)), "children of a node [7]");
        assertWrong(inner(leaves(33, 32)), "children of a node [33]");
        assertThatIllegalStateException()
                .isThrownBy(() -> inner(leaves(1, 32)).check(true))
                .withMessageContaining("children of a node [1]");
    }

    @Test
    void allLeavesAreEquallyDeep() {
        Node[] children = leaves(9, 32);
        children[8] = inner(leaves(8, 32));

        assertWrong(inner(children), "levels of children [1, 2]");
    }

    @Test
    void aChildMatchesItsEntryInTheParent() {
        Node[] children = leaves(8, 32);
        long[] times = Arrays.stream(children).mapToLong(each -> each.firstTime).toArray();
        int[] lows = new int[8];
        int[] highs = new int[8];
        Arrays.fill(highs, 31);

        assertThat(new Inner(children, times, lows, highs).check(false)).isEqualTo(2);
        assertWrong(new Inner(children, new long[8], lows, highs), "first time of child [1, 0]");
        assertWrong(new Inner(children, times, lows, new int[8]), "summary of child [0]");
        assertWrong(new Inner(children, times, highs, highs), "summary of child [0]");
    }

    private static void assertWrong(Node node, String what) {
        assertThatIllegalStateException().isThrownBy(() -> node.check(false)).withMessageContaining(what);
    }

    /** Returns a leaf with {@code points} points from {@code from} on, with values from 0 on. */
    private static Leaf leaf(long from, int points) {
        return new Leaf(
                LongStream.range(from, from + points).toArray(),
                IntStream.range(0, points).toArray());
    }

    private static Node[] leaves(int count, int points) {
        return IntStream.range(0, count)
                .mapToObj(i -> leaf((long) i * points, points))
                .toArray(Node[]::new);
    }

    private static Inner inner(Node... children) {
        return new Inner(
                children,
                Arrays.stream(children).mapToLong(each -> each.firstTime).toArray(),
                Arrays.stream(children).mapToInt(each -> each.fewest).toArray(),
                Arrays.stream(children).mapToInt(each -> each.most).toArray());
    }
}
