package berth.lab.experiment.adaptive;

/**
 * A type of requests, by what the provider may do with them: the paper's four types, of which the share that can be split is that of its
 * table or that of its text.
 */
enum RequestType {
    RIGID("rigid", false, 0),
    PREEMPTIBLE_20("preemptible, 20 %", false, 0.2),
    PREEMPTIBLE_60("preemptible, 60 %", false, 0.6),
    MOLDABLE("moldable", true, 0),
    BOTH_20("both, 20 %", true, 0.2),
    BOTH_60("both, 60 %", true, 0.6);

    private final String words;
    private final boolean isMoldable;
    private final double preemptibleShare;

    RequestType(String words, boolean isMoldable, double preemptibleShare) {
        this.words = words;
        this.isMoldable = isMoldable;
        this.preemptibleShare = preemptibleShare;
    }

    /** Returns a description. */
    String words() {
        return words;
    }

    boolean isMoldable() {
        return isMoldable;
    }

    /** Returns the share of requests that can be split. */
    double preemptibleShare() {
        return preemptibleShare;
    }
}
