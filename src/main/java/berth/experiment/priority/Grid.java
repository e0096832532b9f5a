package berth.experiment.priority;

import java.util.List;

/** Five resources of 47 PEs together. How these are spread over them, and how fast they are, the paper does not give. */
enum Grid {
    /** Our reading; 417 on 5 PEs is the paper's example. */
    OURS(List.of(4, 13, 8, 17, 5), List.of(500, 380, 450, 350, 417)),
    /**
     * Those of the example of advance reservation that comes with GridSim (example 10), by the author of the reservation
     * module that the paper compares DPSAR with.
     */
    GRIDSIM(List.of(4, 13, 16, 6, 8), List.of(515, 684, 410, 410, 377));

    private final List<Integer> pes;
    private final List<Integer> mips;

    Grid(List<Integer> pes, List<Integer> mips) {
        this.pes = pes;
        this.mips = mips;
    }

    /** PEs of each resource. */
    List<Integer> pes() {
        return pes;
    }

    /** Million instructions per second of a PE of each resource. */
    List<Integer> mips() {
        return mips;
    }

    /** How many there are. */
    int resources() {
        return pes.size();
    }
}
