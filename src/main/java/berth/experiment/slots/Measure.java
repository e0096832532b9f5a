package berth.experiment.slots;

import berth.experiment.Sample;
import berth.simulation.Figures;

/** What is measured of a run. */
enum Measure {
    /** The share of the requests that were accepted, in percent. */
    ACCEPTANCE("accepted, in percent", "percent") {
        @Override
        double of(Figures figures) {
            return 100 * figures.acceptance();
        }

        @Override
        double margin(Sample one, Sample other) {
            return 1;
        }
    },
    /** Mean over the accepted of (start - ready time + run time) / run time. */
    SLOWDOWN("mean slowdown", "(wait + run time) / run time") {
        @Override
        double of(Figures figures) {
            return figures.meanSlowdown();
        }

        @Override
        double margin(Sample one, Sample other) {
            return (Math.max(one.mean(), other.mean()) - 1) / 10;
        }
    };

    private final String title;
    private final String unit;

    Measure(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** What it is called in a figure. */
    String title() {
        return title;
    }

    /** What its values are. */
    String unit() {
        return unit;
    }

    abstract double of(Figures figures);

    /** How far apart two means may lie and still count as alike: a point; or a tenth of the longer wait. */
    abstract double margin(Sample one, Sample other);

    /** Two samples are alike if chance explains their difference, or if it is within the margin. */
    boolean areAlike(Sample one, Sample other) {
        var difference = one.minus(other).estimate();
        boolean isByChance = !difference.isAbove(0) && !difference.isBelow(0);
        return isByChance || Math.abs(difference.mean()) <= margin(one, other);
    }
}
