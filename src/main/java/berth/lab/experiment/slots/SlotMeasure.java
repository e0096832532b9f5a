package berth.lab.experiment.slots;

import berth.lab.experiment.Sample;
import berth.lab.simulation.Figures;

/** A measure of a run. */
enum SlotMeasure {
    /** The share of accepted requests, in percent. */
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
    /** The mean over accepted requests of (start - ready time + run time) / run time. */
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

    SlotMeasure(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** Returns its title in a figure. */
    String title() {
        return title;
    }

    /** Returns the unit of its values. */
    String unit() {
        return unit;
    }

    abstract double of(Figures figures);

    /** Returns how far apart two means can be and still count as alike: a point, or a tenth of the longer wait. */
    abstract double margin(Sample one, Sample other);

    /** Whether two samples are alike: chance explains their difference, or it is within the margin. */
    boolean areAlike(Sample one, Sample other) {
        var difference = one.minus(other).estimate();
        boolean isByChance = !difference.isAbove(0) && !difference.isBelow(0);
        return isByChance || Math.abs(difference.mean()) <= margin(one, other);
    }
}
