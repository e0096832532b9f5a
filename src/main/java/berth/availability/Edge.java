package berth.availability;

/**
 * Where a change begins or ends in a leaf.
 *
 * @param index of the first point at that time or after it
 * @param before how many points were at that time, 0 or 1
 * @param after how many there are after the change, 0 or 1
 * @param time in seconds since the epoch
 * @param free PEs free from then on after the change
 */
record Edge(int index, int before, int after, long time, int free) {

    /** Of a change that begins or ends in another leaf: nothing happens before the point at {@code index}. */
    static Edge none(int index) {
        return new Edge(index, 0, 0, 0, 0);
    }

    /** The point after the ones before it. */
    int next() {
        return index + before;
    }

    /** How many points more there are. */
    int growth() {
        return after - before;
    }
}
