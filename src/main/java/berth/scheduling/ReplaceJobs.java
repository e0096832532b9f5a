package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.cluster.JobIntake;
import berth.scheduling.Event.JobsEvent;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An outside batch system tells how its queue stands, on a cluster whose queue is its own, or was when it told last: it takes the place of what was told before. What runs there has its
 * PEs; where reservations have them from some time on it is taken to be over by then, and where they have them now already
 * it is left out: promises come first, and the batch system is to keep them. A job that has outrun its estimate is
 * expected to go on for {@link #OVERRUN} seconds.
 *
 * @param jobs in the order of the queue
 */
public record ReplaceJobs(List<OutsideJob> jobs) implements Command {

    /** How much longer a job is expected to run whose estimate is over, in seconds. */
    public static final long OVERRUN = 60;

    /**
     * A job of an outside batch system.
     *
     * @param name its name there, which no other of its jobs has
     * @param owner whose it is
     * @param pes PEs it needs at once
     * @param estimate how long it runs at the most, in seconds
     * @param submittedAt seconds since the epoch
     * @param startedAt seconds since the epoch; empty: it waits
     */
    public record OutsideJob(
            String name, AccountName owner, int pes, long estimate, long submittedAt, OptionalLong startedAt) {}

    public ReplaceJobs {
        jobs = List.copyOf(jobs);
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        var present = schedule.jobs();
        boolean isToldAlready = !present.isEmpty() && present.source() == JobSource.OUTSIDE;
        boolean isItsQueue = schedule.cluster().policy().jobs() == JobIntake.OUTSIDE && present.isEmpty();
        if (!isToldAlready && !isItsQueue) {
            return new Decision.Rejected(new Rejection.OtherSource(JobSource.BERTH));
        }
        return refused(schedule.cluster().pes(), now)
                .<Decision>map(Decision.Rejected::new)
                .orElseGet(() -> replaced(schedule, now));
    }

    private Optional<Rejection> refused(int pes, long now) {
        if (jobs.size() > Jobs.MOST) {
            return invalid("jobs", "must be %d at the most".formatted(Jobs.MOST));
        }
        var names = new HashSet<String>();
        for (int at = 0; at < jobs.size(); at++) {
            var job = jobs.get(at);
            var path = "jobs[%d].".formatted(at);
            if (!names.add(job.name())) {
                return invalid(path + "name", "must be another than those before it: " + job.name());
            }
            var refused = SubmitJob.check(path, job.pes(), job.estimate(), pes).or(() -> misdated(path, job, now));
            if (refused.isPresent()) {
                return refused;
            }
        }
        return Optional.empty();
    }

    private static Optional<Rejection> misdated(String path, OutsideJob job, long now) {
        if (job.submittedAt() > now + RequestedTerms.GRACE) {
            return invalid(path + "submittedAt", "must not lie in the future");
        }
        if (job.startedAt().isEmpty()) {
            return Optional.empty();
        }
        long start = job.startedAt().getAsLong();
        return start > now + RequestedTerms.GRACE || start < job.submittedAt()
                ? invalid(path + "startedAt", "must lie neither in the future nor before its submission")
                : Optional.empty();
    }

    private static Optional<Rejection> invalid(String field, String message) {
        return Optional.of(new Rejection.InvalidTerms(List.of(new Violation(field, message))));
    }

    private Decision replaced(ClusterSchedule schedule, long now) {
        var rest = schedule.withoutKeptPlaces().withoutJobs();
        var all = new ArrayList<BatchJob>();
        for (int rank = 0; rank < jobs.size(); rank++) {
            var told = jobs.get(rank);
            var waiting = BatchJob.queued(
                    JobId.outside(schedule.cluster().id(), told.name()),
                    schedule.cluster().id(),
                    told.owner(),
                    Optional.of(told.name()),
                    told.pes(),
                    told.estimate(),
                    Math.min(now, told.submittedAt()),
                    rank,
                    JobSource.OUTSIDE);
            if (told.startedAt().isEmpty()) {
                all.add(waiting);
                continue;
            }
            long start = Math.min(now, told.startedAt().getAsLong());
            var running = running(rest, waiting, start, now);
            if (running.isPresent()) {
                rest = rest.withJob(running.get());
                all.add(running.get());
            }
        }
        return isAsBefore(schedule, all)
                ? Decision.Accepted.unchanged(schedule)
                : Decision.Accepted.of(schedule, new JobsEvent(all, now));
    }

    /** As long as it has its PEs to itself. */
    private static Optional<BatchJob> running(ClusterSchedule rest, BatchJob job, long start, long now) {
        long end = Math.max(start + job.estimate(), now + OVERRUN);
        return longest(rest, job.pes(), now, end)
                .map(part -> job.running(new Run(
                        start,
                        part.slot(),
                        part.peIds().orElseGet(() -> rest.freeForJobs().started(part)))));
    }

    /** The longest time from now on for which there are as many PEs; found by bisection, since a longer one has no more. */
    private static Optional<Part> longest(ClusterSchedule rest, int pes, long now, long end) {
        long below = now;
        long above = end + 1;
        var found = Optional.<Part>empty();
        while (above - below > 1) {
            long middle = found.isEmpty() && above > end ? end : below + (above - below) / 2;
            var part = rest.freeForJobs()
                    .at(new Slot(now, middle), pes, rest.cluster().pes());
            if (part.isPresent()) {
                found = part;
                below = middle;
            } else {
                above = middle;
            }
        }
        return found;
    }

    /** Whether that has been told already; what has run since may be told to have begun later. */
    private static boolean isAsBefore(ClusterSchedule schedule, List<BatchJob> all) {
        return all.size() == schedule.jobs().size()
                && all.stream()
                        .allMatch(job -> schedule.jobs()
                                .find(job.id())
                                .filter(before -> isTheSame(before, job))
                                .isPresent());
    }

    private static boolean isTheSame(BatchJob before, BatchJob job) {
        if (before.state() != job.state() || before.state() == JobState.QUEUED) {
            return before.equals(job);
        }
        var had = before.run().orElseThrow();
        var has = job.run().orElseThrow();
        return had.until() == has.until()
                && had.start() == has.start()
                && job.running(had).equals(before);
    }
}
