package berth.availability;

import berth.time.Slot;
import java.util.List;
import java.util.Optional;

/** A slow and simple oracle with which a {@link PeCalendar} is compared. It does not check its arguments. */
interface PeOracle {

    void addAllocation(Allocation allocation);

    void deleteAllocation(Allocation allocation);

    PeSet freeThroughout(Slot slot);

    Optional<Allocation> findAllocation(Demand demand, int among, PlacementPolicy policy);

    List<Rectangle> rectangles(Demand demand, int among);

    /** Returns all starts that fit. */
    long[] fitStarts(Demand demand, int among);
}
