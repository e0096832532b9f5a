package berth.scheduling.commands;

import berth.batch.JobId;
import berth.batch.JobState;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Lookup;
import java.util.EnumSet;

/** The owner cancels a waiting or running job. */
public record CancelJob(JobId job) implements Command {

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                job,
                EnumSet.of(JobState.QUEUED, JobState.RUNNING),
                found -> new JobEvent(Event.Type.JOB_CANCELLED, found.ended(JobState.CANCELLED, now), now));
    }
}
