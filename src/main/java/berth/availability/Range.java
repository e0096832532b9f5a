package berth.availability;

/** Collects the fewest and the most PEs free over some time. */
final class Range {

    private int fewest = Integer.MAX_VALUE;
    private int most = Integer.MIN_VALUE;

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
