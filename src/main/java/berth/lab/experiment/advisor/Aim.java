package berth.lab.experiment.advisor;

/** A possible aim of an operator. */
enum Aim {
    /** The share of accepted requests, in percent. */
    ACCEPTANCE("acceptance", "percent", "%.2f", 1),
    /** The share of the machine that runs took, in percent: PE-seconds / (PEs · time in which requests arrived). */
    UTILISATION("utilisation", "percent", "%.2f", 1),
    /** The mean over accepted requests of (start - ready time + run time) / run time; lower is better. */
    SLOWDOWN("slowdown", "times the run time", "%.3f", -1),
    /** The sum of agreed prices in the tariff's currency, per window. */
    REVENUE("revenue", "per window", "%.0f", 1);

    private final String word;
    private final String unit;
    private final String format;
    private final int sign;

    Aim(String word, String unit, String format, int sign) {
        this.word = word;
        this.unit = unit;
        this.format = format;
        this.sign = sign;
    }

    /** Returns a word as in {@code acceptance}. */
    String word() {
        return word;
    }

    String unit() {
        return unit;
    }

    /** Returns the format of its figures. */
    String format() {
        return format;
    }

    /** Returns 1 if more is better, -1 if less is. */
    int sign() {
        return sign;
    }
}
