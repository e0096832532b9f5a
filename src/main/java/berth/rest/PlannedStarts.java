package berth.rest;

import berth.batch.JobId;
import berth.desk.DecisionBasis;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** When the waiting jobs of a cluster start, if all run as long as estimated and nothing else comes. */
final class PlannedStarts {

    /** Of a cluster where nothing waits. */
    static final PlannedStarts NONE = new PlannedStarts();

    private final Map<JobId, Long> starts = new HashMap<>();

    private PlannedStarts() {}

    /** By the plan of the queue as it stands; it is found out once for each schedule. O(n log n) for n jobs. */
    static PlannedStarts of(DecisionBasis outlook) {
        var schedule = outlook.schedule();
        var planned = new PlannedStarts();
        if (schedule.jobs().waiting().isEmpty()) {
            return planned;
        }
        var plan = schedule.plans(outlook.now()).original();
        int place = 0;
        for (var job : schedule.jobs().waiting()) {
            plan.start(place).ifPresent(start -> planned.starts.put(job.id(), start));
            place++;
        }
        return planned;
    }

    /** The same exactly where all start at the same times, but for chance. */
    int digest() {
        return starts.hashCode();
    }

    /** Empty: it does not wait, or that cannot be foreseen. */
    OptionalLong start(JobId job) {
        var start = starts.get(job);
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }
}
