package berth.lab.experiment.priority;

import java.util.List;

/** Five resources with 47 PEs in total. The paper gives neither their sizes nor their speeds. */
enum Grid {
    /** Our reading; 417 on 5 PEs is the paper's example. */
    OURS(List.of(4, 13, 8, 17, 5), List.of(500, 380, 450, 350, 417)),
    /**
     * The resources of GridSim's example of advance reservation (example 10), by the author of the reservation module with which the paper
     * compares DPSAR.
     */
    GRIDSIM(List.of(4, 13, 16, 6, 8), List.of(515, 684, 410, 410, 377));

    private final List<Integer> pes;
    private final List<Integer> mips;

    Grid(List<Integer> pes, List<Integer> mips) {
        this.pes = pes;
        this.mips = mips;
    }

    /** Returns the PEs of each resource. */
    List<Integer> pes() {
        return pes;
    }

    /** Returns the speed of a PE of each resource, in million instructions per second. */
    List<Integer> mips() {
        return mips;
    }

    /** Returns the number of resources. */
    int resources() {
        return pes.size();
    }
}
