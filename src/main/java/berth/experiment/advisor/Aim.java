package berth.experiment.advisor;

/** What an operator may be after. */
enum Aim {
    /** The share of the requests that are accepted, in percent. */
    ACCEPTANCE("acceptance", "percent", "%.2f", 1),
    /** The share of the machine that runs took, in percent: PE-seconds / (PEs · the time in which requests came). */
    UTILISATION("utilisation", "percent", "%.2f", 1),
    /** Mean over the accepted of (start - ready time + run time) / run time; the less the better. */
    SLOWDOWN("slowdown", "times the run time", "%.3f", -1),
    /** The prices that were agreed, in the tariff's currency, per window. */
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

    /** As in {@code acceptance}. */
    String word() {
        return word;
    }

    String unit() {
        return unit;
    }

    /** How figures of it are printed. */
    String format() {
        return format;
    }

    /** 1 where more is better, -1 where less is. */
    int sign() {
        return sign;
    }
}
