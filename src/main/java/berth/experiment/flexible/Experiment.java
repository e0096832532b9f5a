package berth.experiment.flexible;

import static berth.cluster.ReplanOrder.EARLIEST_DEADLINE_FIRST;
import static berth.cluster.ReplanOrder.FIFO;

import java.util.function.Predicate;

/** The experiments of the paper, each with the scenarios that it compares. */
enum Experiment {
    /** Figure 1: the order in which the waiting queue is placed anew. */
    ORDERS(Scenario::isPlain),
    /** In the text: how much is used under FIFO. */
    LEVELS(scenario -> scenario.isPlain() && scenario.order() == FIFO),
    /** Figure 2: the length of flexible intervals. */
    INTERVALS(scenario -> scenario.isPlain() && scenario.order() == EARLIEST_DEADLINE_FIRST),
    /** Figure 3: run times that were overestimated, beside exact ones. */
    ESTIMATES(scenario -> INTERVALS.has(scenario.with(RunTimes.AS_ESTIMATED))),
    /** Figure 4: until when reservations are moved. */
    FIXING(scenario -> scenario.interval() != Interval.FIXED && INTERVALS.has(scenario.with(FixedAt.START))),
    /** Figure 5: alternatives to what is refused, beside flexible intervals. */
    ALTERNATIVES(scenario -> INTERVALS.has(scenario.suggesting(Interval.FIXED))),
    /** Figure 6: how far away those alternatives are. */
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
