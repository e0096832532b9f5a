package berth.scheduling.commands;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.batch.Jobs;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.JobIntake;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.LeftOut;
import berth.scheduling.Rejection;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Replaces the jobs of an external batch system by its latest report, on a cluster whose queue is external, or was at the last report.
 * Running jobs keep their PEs. If reservations have those PEs from some time on, the job is assumed to end by then; if reservations have
 * them now, the job is skipped, because promises take precedence and the batch system must keep them. A job that has outrun its estimate is
 * assumed to run for another {@link #OVERRUN} seconds. An invalid job is skipped; the others are taken. Jobs that name their PEs get these;
 * the others get what remains.
 *
 * @param jobs the jobs in the order of the queue
 */
public record ReplaceJobs(List<OutsideJob> jobs) implements Command {

    /** How much longer a job is assumed to run once its estimate is over, in seconds. */
    public static final long OVERRUN = 60;

    /**
     * A job of an external batch system.
     *
     * @param name the unique name of the job there
     * @param owner the owner of the job
     * @param pes the PEs that it needs at once
     * @param estimate the longest run time in seconds
     * @param submittedAt seconds since the epoch
     * @param startedAt seconds since the epoch; empty if it waits
     * @param peIds the PEs that it has; empty if it waits or does not name them
     */
    public record OutsideJob(
            String name,
            AccountName owner,
            int pes,
            long estimate,
            long submittedAt,
            OptionalLong startedAt,
            Optional<PeSet> peIds) {}

    public ReplaceJobs {
        jobs = List.copyOf(jobs);
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var present = schedule.jobs();
        boolean isToldAlready = !present.isEmpty() && present.source() == JobSource.OUTSIDE;
        boolean isItsQueue = schedule.cluster().policy().jobs() == JobIntake.OUTSIDE && present.isEmpty();
        if (!isToldAlready && !isItsQueue) {
            return new Decision.Rejected(new Rejection.OtherSource(JobSource.BERTH));
        }
        return jobs.size() > Jobs.MAX
                ? new Decision.Rejected(
                        Rejection.InvalidTerms.of("jobs", "must have at most %d entries".formatted(Jobs.MAX)))
                : replaced(schedule, now);
    }

    /** Returns the jobs that would be skipped on the cluster at that time, in the order of the queue. O(n) for n jobs. */
    public List<LeftOut> leftOut(Cluster cluster, long now) {
        var names = new HashSet<String>();
        var leftOut = new ArrayList<LeftOut>();
        for (int index = 0; index < jobs.size(); index++) {
            int at = index;
            wrong(jobs.get(at), "jobs[%d].".formatted(at), names, cluster, now)
                    .ifPresent(why -> leftOut.add(new LeftOut(at, why)));
        }
        return leftOut;
    }

    /** Returns the error of a job, given the names of the jobs before it. */
    private static Optional<Violation> wrong(
            OutsideJob job, String path, Set<String> names, Cluster cluster, long now) {
        if (!names.add(job.name())) {
            return violated(path + "name", "must differ from the names before it, but repeats " + job.name());
        }
        if (!job.owner().isWellFormed()) {
            return violated(path + "owner", "must be a valid account name");
        }
        return SubmitJob.noJob(path, job.pes(), job.estimate(), cluster)
                .or(() -> SubmitJob.tooLarge(path, job.pes(), cluster))
                .or(() -> misdated(path, job, now))
                .or(() -> job.peIds().flatMap(ids -> misnamed(path, job, ids, cluster)));
    }

    private static Optional<Violation> misdated(String path, OutsideJob job, long now) {
        if (job.submittedAt() > now + RequestedTerms.GRACE) {
            return violated(path + "submittedAt", "must not lie in the future");
        }
        if (job.startedAt().isEmpty()) {
            return Optional.empty();
        }
        long start = job.startedAt().getAsLong();
        return start > now + RequestedTerms.GRACE || start < job.submittedAt()
                ? violated(path + "startedAt", "must not lie in the future or before submittedAt")
                : Optional.empty();
    }

    private static Optional<Violation> misnamed(String path, OutsideJob job, PeSet ids, Cluster cluster) {
        if (ids.size() != job.pes()) {
            return violated(
                    path + "pes", "must be %d, the number of the PEs in peIds; leave it out".formatted(ids.size()));
        }
        if (ids.length() > cluster.pes()) {
            return violated(
                    path + "peIds",
                    "must be PEs of the cluster, which are numbered 0 to %d".formatted(cluster.pes() - 1));
        }
        if (cluster.binding() == Binding.LATE) {
            return violated(
                    path + "peIds",
                    "cannot be given, because this cluster binds PEs late; leave peIds out, or set the cluster's binding to EARLY");
        }
        return job.startedAt().isEmpty()
                ? violated(path + "peIds", "can be given only for a running job; add startedAt, or leave peIds out")
                : cluster.nodes().broken(ids).map(why -> new Violation(path + "peIds", why));
    }

    private static Optional<Violation> violated(String field, String message) {
        return Optional.of(new Violation(field, message));
    }

    private Decision replaced(ClusterSchedule schedule, long now) {
        var rest = schedule.withoutKeptPlaces().withoutJobs();
        var all = new ArrayList<BatchJob>();
        for (int rank : namedFirst(schedule.cluster(), now)) {
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
            var running = running(rest, waiting, told.peIds(), start, now);
            if (running.isPresent()) {
                rest = rest.withJob(running.get());
                all.add(running.get());
            }
        }
        all.sort(Comparator.comparingLong(BatchJob::rank));
        return isAsBefore(schedule, all)
                ? Decision.Accepted.unchanged(schedule)
                : Decision.Accepted.of(schedule, new JobsEvent(all, now));
    }

    /** Returns the positions of the valid jobs in the queue, those with named PEs first, because no other job may take those PEs. */
    private List<Integer> namedFirst(Cluster cluster, long now) {
        var leftOut = leftOut(cluster, now).stream().map(LeftOut::index).collect(Collectors.toSet());
        return IntStream.range(0, jobs.size())
                .boxed()
                .filter(rank -> !leftOut.contains(rank))
                .sorted(Comparator.comparing(rank -> jobs.get(rank).peIds().isEmpty()))
                .toList();
    }

    /**
     * Returns the job as running until its estimate is over or other allocations need its PEs, whichever comes first; empty if they need
     * them now.
     */
    private static Optional<BatchJob> running(
            ClusterSchedule rest, BatchJob job, Optional<PeSet> peIds, long start, long now) {
        long end = Math.max(start + job.estimate(), now + OVERRUN);
        return longest(rest, job.pes(), peIds, now, end)
                .map(part -> job.running(new Run(
                        start,
                        part.slot(),
                        part.peIds().orElseGet(() -> rest.freeForJobs().started(part)))));
    }

    /**
     * Returns the longest time from now on in which that many PEs, or these PEs, are free. Bisection finds it, because a longer time never
     * has more free PEs.
     */
    private static Optional<Part> longest(ClusterSchedule rest, int pes, Optional<PeSet> peIds, long now, long end) {
        long below = now;
        long above = end + 1;
        var found = Optional.<Part>empty();
        while (above - below > 1) {
            long middle = found.isEmpty() && above > end ? end : below + (above - below) / 2;
            var part = at(rest, new Slot(now, middle), pes, peIds);
            if (part.isPresent()) {
                found = part;
                below = middle;
            } else {
                above = middle;
            }
        }
        return found;
    }

    private static Optional<Part> at(ClusterSchedule rest, Slot slot, int pes, Optional<PeSet> peIds) {
        var free = rest.freeForJobs();
        return peIds.isEmpty()
                ? free.at(slot, pes, rest.cluster().pes())
                : Optional.of(new Part(slot, pes, peIds, 1)).filter(part -> free.hasRoomFor(part, true));
    }

    /**
     * Whether the report repeats the previous one. Only the slots of running jobs may begin later, because each report counts them from its
     * own time.
     */
    private boolean isAsBefore(ClusterSchedule schedule, List<BatchJob> all) {
        return all.size() == schedule.jobs().size()
                && all.stream()
                        .allMatch(job -> schedule.jobs()
                                .find(job.id())
                                .filter(before -> isTheSame(before, job))
                                .isPresent());
    }

    /** Whether the job is unchanged: it has the same PEs if the report names them, otherwise it keeps those it was given. */
    private boolean isTheSame(BatchJob before, BatchJob job) {
        if (before.state() != job.state() || before.state() == JobState.QUEUED) {
            return before.equals(job);
        }
        var had = before.run().orElseThrow();
        var has = job.run().orElseThrow();
        boolean isThere = jobs.get((int) job.rank())
                .peIds()
                .filter(ids -> !ids.equals(had.peIds()))
                .isEmpty();
        return isThere
                && had.until() == has.until()
                && had.start() == has.start()
                && job.running(had).equals(before);
    }
}
