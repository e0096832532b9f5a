package berth.availability;

/** Gathers the fewest and the most PEs free over some stretch of time. */
final class Range {

    private int fewest = Integer.MAX_VALUE;
    private int most = Integer.MIN_VALUE;

    /** The range of all these values. */
    static Range of(int[] fewest, int[] most) {
        Range range = new Range();
        for (int i = 0; i < fewest.length; i++) {
            range.include(fewest[i], most[i]);
        }
        return range;
    }

    void include(int fewest, int most) {
        this.fewest = Math.min(this.fewest, fewest);
        this.most = Math.max(this.most, most);
    }

    int fewest() {
        return fewest;
    }

    int most() {
        return most;
    }
}
