package berth.availability;

/** Replacement nodes of one depth, side by side in ascending order. */
final class Row {

    private final Node[] nodes;
    private int size;

    /** Starts empty, with room for {@code atMost} nodes. */
    Row(int atMost) {
        nodes = new Node[atMost];
    }

    /** Adds a node. It joins the node with the one before it if either is small. */
    void add(Node node) {
        if (size > 0 && (node.isSmall() || endsSmall())) {
            nodes[--size].join(node, this);
        } else {
            nodes[size++] = node;
        }
    }

    /** Adds a node in front of the only present node, which must be small. */
    void addBefore(Node node) {
        Node only = nodes[--size];
        add(node);
        add(only);
    }

    /** Whether the last node is small, which only the first node can be. */
    boolean endsSmall() {
        return nodes[size - 1].isSmall();
    }

    /** Whether the first times of the nodes are {@code times} from {@code from} to {@code to}, exclusive. */
    boolean beginsAt(long[] times, int from, int to) {
        boolean same = size == to - from;
        for (int i = 0; same && i < size; i++) {
            same = nodes[i].firstTime == times[from + i];
        }
        return same;
    }

    int size() {
        return size;
    }

    Node get(int index) {
        return nodes[index];
    }
}
