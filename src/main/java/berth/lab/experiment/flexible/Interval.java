package berth.lab.experiment.flexible;

import java.math.BigDecimal;

/** The paper's four interval sizes, φ in percent of the run time; the last three are also its thresholds for alternatives. */
enum Interval {
    FIXED(0, "fixed"),
    SHORT(25, "short (φ 25 %)"),
    MEDIUM(50, "medium (φ 50 %)"),
    LONG(100, "long (φ 100 %)");

    private final int percent;
    private final String words;

    Interval(int percent, String words) {
        this.percent = percent;
        this.words = words;
    }

    /** Returns a description. */
    String words() {
        return words;
    }

    int percent() {
        return percent;
    }

    /** Returns φ as a share. */
    BigDecimal phi() {
        return BigDecimal.valueOf(percent, 2);
    }
}
