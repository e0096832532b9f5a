package berth.experiment.flexible;

import java.math.BigDecimal;

/** The four interval sizes of the paper, φ in percent of the run time; the last three are its thresholds for alternatives too. */
enum Interval {
    FIXED(0),
    SHORT(25),
    MEDIUM(50),
    LONG(100);

    private final int percent;

    Interval(int percent) {
        this.percent = percent;
    }

    int percent() {
        return percent;
    }

    /** φ as a share. */
    BigDecimal phi() {
        return BigDecimal.valueOf(percent, 2);
    }
}
