package berth.availability;

/** Nodes of one depth, side by side and in ascending order, that take the place of others. */
final class Row {

    private final Node[] nodes;
    private int size;

    /** None yet. */
    Row(int atMost) {
        nodes = new Node[atMost];
    }

    /** Adds a node, joined with the one before it if either is small. */
    void add(Node node) {
        if (size > 0 && (node.isSmall() || endsSmall())) {
            nodes[--size].join(node, this);
        } else {
            nodes[size++] = node;
        }
    }

    /** Adds a node before all, where the only one there is is small. */
    void addBefore(Node node) {
        Node only = nodes[--size];
        add(node);
        add(only);
    }

    /** Whether the last node is small, as only the first can be. */
    boolean endsSmall() {
        return nodes[size - 1].isSmall();
    }

    /** Whether the nodes' first times are those from one index up to another. */
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
