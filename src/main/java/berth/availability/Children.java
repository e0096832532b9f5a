package berth.availability;

import java.util.Arrays;

/** Builds one inner node or two from nodes of one depth, in ascending order. */
final class Children {

    private final Node[] nodes;
    private final long[] firstTimes;
    private final int[] lows;
    private final int[] highs;
    private int size;

    /** Starts without children, with room for {@code count}. */
    Children(int count) {
        nodes = new Node[count];
        firstTimes = new long[count];
        lows = new int[count];
        highs = new int[count];
    }

    /** Adds the nodes of {@code row}. */
    void add(Row row) {
        for (int i = 0; i < row.size(); i++) {
            Node node = row.get(i);
            nodes[size] = node;
            firstTimes[size] = node.firstTime;
            lows[size] = node.fewest;
            highs[size] = node.most;
            size++;
        }
    }

    /** Adds the children of {@code inner} with indices from {@code from} to {@code to}, exclusive. */
    void add(Inner inner, int from, int to) {
        System.arraycopy(inner.children, from, nodes, size, to - from);
        System.arraycopy(inner.firstTimes, from, firstTimes, size, to - from);
        System.arraycopy(inner.lows, from, lows, size, to - from);
        System.arraycopy(inner.highs, from, highs, size, to - from);
        size += to - from;
    }

    /** Adds the inner nodes to {@code row} once all children are there. */
    void addTo(Row row) {
        if (size <= Inner.MAX_CHILDREN) {
            row.add(new Inner(nodes, firstTimes, lows, highs));
        } else {
            row.add(inner(0, size / 2));
            row.add(inner(size / 2, size));
        }
    }

    private Inner inner(int from, int to) {
        return new Inner(
                Arrays.copyOfRange(nodes, from, to),
                Arrays.copyOfRange(firstTimes, from, to),
                Arrays.copyOfRange(lows, from, to),
                Arrays.copyOfRange(highs, from, to));
    }
}
