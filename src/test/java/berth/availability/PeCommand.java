package berth.availability;

/** Something to do to a calendar. */
sealed interface PeCommand {

    /** May be impossible. */
    record Add(Allocation allocation) implements PeCommand {}

    /** May be impossible. */
    record Delete(Allocation allocation) implements PeCommand {}

    /** Adds what is found, if anything is. */
    record Reserve(Demand demand, int among, PlacementPolicy policy) implements PeCommand {}

    /** Deletes one of those that are there, if any are. */
    record Release(int which) implements PeCommand {}
}
