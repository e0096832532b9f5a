package berth.lab.experiment.priority;

import java.util.function.ToDoubleFunction;

/** A measure in the paper's figures. */
enum PriorityMeasure {
    /** Figure 4: the mean time from arrival to start over jobs that are not rejected, in hours. */
    WAITING("figure4", "figure 4: mean waiting time, hours", "hours", RunFigures::waiting),
    /**
     * Figure 5: the mean time between the guaranteed and the actual start over jobs that are not rejected, in hours. A job with an advance
     * reservation is guaranteed its chosen start. Any other job is, in the paper's words, a reservation that starts with the current time,
     * which is the time at which it goes to a resource.
     */
    OFFSET("figure5", "figure 5: mean offset, hours", "hours", RunFigures::offset),
    /** Figure 6: the jobs that got no reservation. */
    REJECTIONS("figure6", "figure 6: rejections", "jobs", RunFigures::rejections),
    /**
     * Figure 7: the percentage of a resource's PE-seconds that its jobs took, from the beginning until its last job has ended, averaged
     * over the resources.
     */
    UTILISATION("figure7", "figure 7: utilisation, percent", "percent", RunFigures::utilisation);

    private final String figure;
    private final String title;
    private final String unit;
    private final ToDoubleFunction<RunFigures> of;

    PriorityMeasure(String figure, String title, String unit, ToDoubleFunction<RunFigures> of) {
        this.figure = figure;
        this.title = title;
        this.unit = unit;
        this.of = of;
    }

    /** Returns the name of the figure, as in {@code figure4}. */
    String figure() {
        return figure;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    double of(RunFigures figures) {
        return of.applyAsDouble(figures);
    }
}
