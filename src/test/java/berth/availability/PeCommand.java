package berth.availability;

/** A change of a calendar or a question about it. */
sealed interface PeCommand {

    /** Adds an allocation, which can be impossible. */
    record Add(Allocation allocation) implements PeCommand {}

    /** Deletes an allocation, which can be impossible. */
    record Delete(Allocation allocation) implements PeCommand {}

    /** Adds the allocation that a search finds, if any. */
    record Reserve(Demand demand, int among, PlacementPolicy policy) implements PeCommand {}

    /** Deletes one of the present allocations, if there are any. */
    record Release(int which) implements PeCommand {}
}
