package berth.availability;

import berth.time.Slot;
import java.util.List;
import java.util.Optional;

/** Something slow and plain that a {@link PeCalendar} is compared with. It does not check what it is told to do. */
interface PeOracle {

    void addAllocation(Allocation allocation);

    void deleteAllocation(Allocation allocation);

    PeSet freeThroughout(Slot slot);

    Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy);

    List<Rectangle> rectangles(Demand demand, int among);

    /** All of them. */
    long[] fitStarts(Demand demand, int among);
}
