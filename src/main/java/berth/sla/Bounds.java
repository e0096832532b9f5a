package berth.sla;

import java.math.BigDecimal;

/**
 * The rules that a cluster sets for every run.
 *
 * @param rating the speed relative to a standard PE
 * @param pes the most PEs that reservations may take at one time
 * @param runTime the longest run, in seconds on this cluster
 * @param horizon how far ahead the cluster takes reservations, in seconds
 * @param defaultSlack the slack of a request that asks for neither slack nor a deadline, in seconds; 0 for none
 * @param moves how often and how far each run may be moved
 */
public record Bounds(BigDecimal rating, int pes, long runTime, long horizon, long defaultSlack, MoveBounds moves) {

    /** Creates bounds that do not bound moves. */
    public Bounds(BigDecimal rating, int pes, long runTime, long horizon, long defaultSlack) {
        this(rating, pes, runTime, horizon, defaultSlack, MoveBounds.NONE);
    }

    boolean allow(Shape shape) {
        return shape.pes() <= pes && shape.runTime() <= runTime;
    }
}
