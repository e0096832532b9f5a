package berth.availability;

import java.util.Comparator;

/**
 * Which of its feasible starts a run gets (paper 004, section 5.1). Each policy prefers a rectangle; of equal ones the
 * earliest start is taken, so as to keep the wait short.
 */
public enum PlacementPolicy {
    /** The earliest start. */
    FIRST_FIT(Comparator.comparingLong(Rectangle::start)),
    /** The fewest free PEs. */
    PE_BEST_FIT(Comparator.comparingInt(Rectangle::pes)),
    /** The most free PEs. */
    PE_WORST_FIT(Comparator.comparingInt(Rectangle::pes).reversed()),
    /** The shortest rectangle. */
    DURATION_BEST_FIT(Comparator.comparingLong(Rectangle::duration)),
    /** The longest rectangle. */
    DURATION_WORST_FIT(Comparator.comparingLong(Rectangle::duration).reversed()),
    /** The smallest product of free PEs and length. */
    PE_DURATION_BEST_FIT(Comparator.comparingLong(Rectangle::area)),
    /** The largest product of free PEs and length. */
    PE_DURATION_WORST_FIT(Comparator.comparingLong(Rectangle::area).reversed());

    private final Comparator<Rectangle> preference;

    PlacementPolicy(Comparator<Rectangle> preference) {
        this.preference = preference.thenComparingLong(Rectangle::start);
    }

    /**
     * Orders feasible starts of one demand: the first is the one to take. Rectangles are compared by what of them lies
     * before the demand's deadline: the paper does not say where a rectangle ends that nothing ends, and of the readings
     * tried this one ranks the policies as its experiments do.
     */
    public Comparator<Rectangle> preference(Demand demand) {
        return Comparator.comparing(rectangle -> rectangle.until(demand.window().deadline()), preference);
    }
}
