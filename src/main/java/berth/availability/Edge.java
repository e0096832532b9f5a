package berth.availability;

/**
 * The position in a leaf where a change begins or ends.
 *
 * @param index the index of the first point at that time or later
 * @param before the number of points at that time before the change, 0 or 1
 * @param after the number of points at that time after the change, 0 or 1
 * @param time seconds since the epoch
 * @param free the PEs free from {@code time} on after the change
 */
record Edge(int index, int before, int after, long time, int free) {

    /** Returns the edge for a change that begins or ends in another leaf: nothing changes at {@code index}. */
    static Edge none(int index) {
        return new Edge(index, 0, 0, 0, 0);
    }

    /** Returns the index of the first point behind the edge. */
    int next() {
        return index + before;
    }

    /** Returns by how many points the leaf grows. */
    int growth() {
        return after - before;
    }
}
