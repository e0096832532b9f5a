package berth.engine;

import berth.batch.JobId;
import berth.scheduling.Basis;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The planned starts of a cluster's waiting jobs, if all jobs run as long as estimated and nothing new arrives. */
public final class PlannedStarts {

    /** The planned starts of a cluster without waiting jobs. */
    public static final PlannedStarts NONE = new PlannedStarts();

    private final Map<JobId, Long> starts = new HashMap<>();

    private PlannedStarts() {}

    /** Returns the planned starts of the current queue. They are computed once per schedule, in O(n log n) for n jobs. */
    static PlannedStarts of(Basis outlook) {
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

    /** Returns a hash: equal starts have equal hashes, and different starts almost always have different ones. */
    public int digest() {
        return starts.hashCode();
    }

    /** Returns the planned start of a job; empty if the job does not wait, or if its start cannot be foreseen. */
    public OptionalLong start(JobId job) {
        var start = starts.get(job);
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }
}
