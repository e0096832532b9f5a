package berth.engine;

import berth.engine.Ledger.Refusals;
import berth.reservation.RefusalCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The refusals of a cluster that are not recorded yet. Thread-safe. */
final class RefusalCounts {

    private static final long HOUR = 3600;

    private final Map<Refusals, Long> counts = new HashMap<>();

    /**
     * Counts refused requests.
     *
     * @param codes the codes of the refusals
     * @param at seconds since the epoch
     */
    synchronized void add(List<RefusalCode> codes, long at) {
        long hour = Math.floorDiv(at, HOUR) * HOUR;
        codes.forEach(code -> counts.merge(new Refusals(hour, code), 1L, Long::sum));
    }

    /** Returns all counts and resets them. */
    synchronized Map<Refusals, Long> drain() {
        var drained = Map.copyOf(counts);
        counts.clear();
        return drained;
    }

    /** Restores counts that could not be recorded. */
    synchronized void restore(Map<Refusals, Long> drained) {
        drained.forEach((refusals, number) -> counts.merge(refusals, number, Long::sum));
    }
}
