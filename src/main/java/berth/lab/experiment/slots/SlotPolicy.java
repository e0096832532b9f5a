package berth.lab.experiment.slots;

import berth.availability.PlacementPolicy;

/** The seven policies by the paper's names. */
enum SlotPolicy {
    FF(PlacementPolicy.FIRST_FIT),
    PE_B(PlacementPolicy.PE_BEST_FIT),
    PE_W(PlacementPolicy.PE_WORST_FIT),
    DU_B(PlacementPolicy.DURATION_BEST_FIT),
    DU_W(PlacementPolicy.DURATION_WORST_FIT),
    PEDU_B(PlacementPolicy.PE_DURATION_BEST_FIT),
    PEDU_W(PlacementPolicy.PE_DURATION_WORST_FIT);

    private final PlacementPolicy placement;

    SlotPolicy(PlacementPolicy placement) {
        this.placement = placement;
    }

    /** Returns Berth's policy. */
    PlacementPolicy placement() {
        return placement;
    }
}
