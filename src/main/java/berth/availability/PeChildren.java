package berth.availability;

import java.util.Arrays;

/** Builds one inner node or two from nodes of one depth, in ascending order. */
final class PeChildren {

    private final PeNode[] nodes;
    private int size;

    /** Starts without children. */
    PeChildren(int atMost) {
        nodes = new PeNode[atMost];
    }

    /** Adds nodes. It joins a node with the one before it if either is small. */
    void add(PeNode... more) {
        for (var node : more) {
            if (size > 0 && (node.isSmall() || nodes[size - 1].isSmall())) {
                size--;
                for (var joined : nodes[size].join(node)) {
                    nodes[size++] = joined;
                }
            } else {
                nodes[size++] = node;
            }
        }
    }

    /** Adds the children of {@code inner} with indices from {@code from} to {@code to}, exclusive, unchanged. */
    void addAll(PeInner inner, int from, int to) {
        if (from < to) {
            System.arraycopy(inner.children, from, nodes, size, to - from);
            size += to - from;
        }
    }

    /** Whether the nodes begin at exactly these times. */
    boolean hasTimesOf(long[] firstTimes) {
        if (size != firstTimes.length) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (nodes[i].firstTime != firstTimes[i]) {
                return false;
            }
        }
        return true;
    }

    PeNode[] nodes() {
        return Arrays.copyOf(nodes, size);
    }

    PeNode[] inners() {
        return size <= PeInner.MAX_CHILDREN
                ? new PeNode[] {inner(0, size)}
                : new PeNode[] {inner(0, size / 2), inner(size / 2, size)};
    }

    private PeInner inner(int from, int to) {
        return PeInner.of(Arrays.copyOfRange(nodes, from, to));
    }
}
