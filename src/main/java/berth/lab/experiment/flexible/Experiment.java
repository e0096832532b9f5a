package berth.lab.experiment.flexible;

import static berth.cluster.ReplanOrder.EARLIEST_DEADLINE_FIRST;
import static berth.cluster.ReplanOrder.FIFO;

import java.util.function.Predicate;

/** The paper's experiments, each with the scenarios that it compares. */
enum Experiment {
    /** Figure 1: the replan order. */
    ORDERS(Scenario::isPlain),
    /** In the text: the utilisation under FIFO. */
    LEVELS(scenario -> scenario.isPlain() && scenario.order() == FIFO),
    /** Figure 2: the length of flexible intervals. */
    INTERVALS(scenario -> scenario.isPlain() && scenario.order() == EARLIEST_DEADLINE_FIRST),
    /** Figure 3: overestimated run times compared with exact ones. */
    ESTIMATES(scenario -> INTERVALS.has(scenario.with(RunTimes.AS_ESTIMATED))),
    /** Figure 4: the time until which reservations can move. */
    FIXING(scenario -> scenario.interval() != Interval.FIXED && INTERVALS.has(scenario.with(FixedAt.START))),
    /** Figure 5: alternatives after refusals, compared with flexible intervals. */
    ALTERNATIVES(scenario -> INTERVALS.has(scenario.suggesting(Interval.FIXED))),
    /** Figure 6: the distance of those alternatives. */
    DISTANCES(scenario -> scenario.suggested() != Interval.FIXED);

    private final Predicate<Scenario> compared;

    Experiment(Predicate<Scenario> compared) {
        this.compared = compared;
    }

    /** Whether it needs the runs of a scenario. */
    boolean has(Scenario scenario) {
        return compared.test(scenario);
    }
}
