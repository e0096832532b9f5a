package berth.availability;

import java.util.Comparator;

/**
 * Chooses among the feasible starts of a run (paper 004, section 5.1). Each policy prefers certain rectangles. Among equally good ones it
 * takes the earliest start, which keeps the wait short.
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
     * Returns the order of preference for a demand: the first rectangle is the one to take. Only the parts of the rectangles before the
     * deadline are compared. The paper does not say where a rectangle ends that nothing limits; of the readings that were tried, this one
     * ranks the policies as the paper's experiments do.
     */
    public Comparator<Rectangle> preference(Demand demand) {
        return Comparator.comparing(rectangle -> rectangle.until(demand.window().deadline()), preference);
    }
}
