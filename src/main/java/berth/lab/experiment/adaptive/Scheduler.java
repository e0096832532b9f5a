package berth.lab.experiment.adaptive;

import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;

/** The paper's two schedulers, both with conservative backfilling. */
enum Scheduler {
    /** First in, first out: a request keeps its place. */
    FIFO(Juggling.NEVER, ReplanOrder.FIFO),
    /** Missing deadline first: the waiting queue is replanned for every newcomer. */
    MDF(Juggling.ALWAYS, ReplanOrder.MISSING_DEADLINE_FIRST);

    private final Juggling juggling;
    private final ReplanOrder order;

    Scheduler(Juggling juggling, ReplanOrder order) {
        this.juggling = juggling;
        this.order = order;
    }

    Juggling juggling() {
        return juggling;
    }

    ReplanOrder order() {
        return order;
    }
}
