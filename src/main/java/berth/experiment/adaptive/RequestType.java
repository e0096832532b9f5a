package berth.experiment.adaptive;

/** What the provider may do with requests: the four types of the paper, split with the share of its table or that of its text. */
enum RequestType {
    RIGID(false, 0),
    PREEMPTIBLE_20(false, 0.2),
    PREEMPTIBLE_60(false, 0.6),
    MOLDABLE(true, 0),
    BOTH_20(true, 0.2),
    BOTH_60(true, 0.6);

    private final boolean isMoldable;
    private final double preemptibleShare;

    RequestType(boolean isMoldable, double preemptibleShare) {
        this.isMoldable = isMoldable;
        this.preemptibleShare = preemptibleShare;
    }

    boolean isMoldable() {
        return isMoldable;
    }

    /** Share of the requests that may be split. */
    double preemptibleShare() {
        return preemptibleShare;
    }
}
