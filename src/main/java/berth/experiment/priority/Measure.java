package berth.experiment.priority;

import java.util.function.ToDoubleFunction;

/** What the paper's figures show. */
enum Measure {
    /** Figure 4: hours from the arrival of a job to its start, on average over those that are not rejected. */
    WAITING("figure4", "figure 4: mean waiting time, hours", "hours", RunFigures::waiting),
    /**
     * Figure 5: hours between the start that a job was guaranteed and its actual one, on average over those that are not
     * rejected. A job with an advance reservation is guaranteed the start that it has chosen; any other one is, in the words
     * of the paper, a reservation that starts with the current time: that at which it is handed to a resource.
     */
    OFFSET("figure5", "figure 5: mean offset, hours", "hours", RunFigures::offset),
    /** Figure 6: jobs that got no reservation. */
    REJECTIONS("figure6", "figure 6: rejections", "jobs", RunFigures::rejections),
    /** Figure 7: percent of the PE-seconds of a resource from the first arrival until its last job has ended, mean over the resources. */
    UTILISATION("figure7", "figure 7: utilisation, percent", "percent", RunFigures::utilisation);

    private final String figure;
    private final String title;
    private final String unit;
    private final ToDoubleFunction<RunFigures> of;

    Measure(String figure, String title, String unit, ToDoubleFunction<RunFigures> of) {
        this.figure = figure;
        this.title = title;
        this.unit = unit;
        this.of = of;
    }

    /** Which figure, as in {@code figure4}. */
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
