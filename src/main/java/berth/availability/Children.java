package berth.availability;

import java.util.Arrays;

/** Nodes of one depth being put together, in ascending order, into one inner node or two. */
final class Children {

    private final Node[] nodes;
    private final long[] firstTimes;
    private final int[] lows;
    private final int[] highs;
    private int size;

    /** No children yet. */
    Children(int atMost) {
        nodes = new Node[atMost];
        firstTimes = new long[atMost];
        lows = new int[atMost];
        highs = new int[atMost];
    }

    /** Adds nodes, each joined with the one before it if either is small. */
    void add(Node... more) {
        for (Node node : more) {
            boolean fits = size == 0 || !(node.isSmall() || nodes[size - 1].isSmall());
            if (fits) {
                append(node);
            } else {
                size--;
                for (Node joined : nodes[size].join(node)) {
                    append(joined);
                }
            }
        }
    }

    private void append(Node node) {
        nodes[size] = node;
        firstTimes[size] = node.firstTime;
        lows[size] = node.fewest;
        highs[size] = node.most;
        size++;
    }

    /** Adds the children of {@code inner} from one index up to another as they are. */
    void addAll(Inner inner, int from, int to) {
        if (from < to) {
            System.arraycopy(inner.children, from, nodes, size, to - from);
            System.arraycopy(inner.firstTimes, from, firstTimes, size, to - from);
            System.arraycopy(inner.lows, from, lows, size, to - from);
            System.arraycopy(inner.highs, from, highs, size, to - from);
            size += to - from;
        }
    }

    Node[] inners() {
        return size <= Inner.MOST_CHILDREN
                ? new Node[] {inner(0, size)}
                : new Node[] {inner(0, size / 2), inner(size / 2, size)};
    }

    private Inner inner(int from, int to) {
        return new Inner(
                Arrays.copyOfRange(nodes, from, to),
                Arrays.copyOfRange(firstTimes, from, to),
                Arrays.copyOfRange(lows, from, to),
                Arrays.copyOfRange(highs, from, to));
    }
}
