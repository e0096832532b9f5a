package berth.scheduling;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.cluster.Cluster;
import berth.scheduling.ReplaceJobs.OutsideJob;
import berth.sla.Part;
import berth.time.Slot;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** The oracle for batch jobs: paper 001, section 2, second by second. Changes as it is told to. */
final class PlainJobs {

    private final Map<JobId, BatchJob> all = new HashMap<>();

    Map<JobId, BatchJob> all() {
        return all;
    }

    Optional<BatchJob> find(JobId id) {
        return Optional.ofNullable(all.get(id));
    }

    /** Who runs those that there are; nobody if there are none. */
    Optional<JobSource> source() {
        return all.values().stream().map(BatchJob::source).findAny();
    }

    /** Those in that state, in the order of the queue. */
    List<BatchJob> in(JobState state) {
        return all.values().stream()
                .filter(job -> job.state() == state)
                .sorted(Comparator.comparing(BatchJob::rank))
                .toList();
    }

    long lastRank() {
        return all.values().stream().mapToLong(BatchJob::rank).max().orElse(0);
    }

    void put(BatchJob job) {
        if (job.state().isLive()) {
            all.put(job.id(), job);
        } else {
            all.remove(job.id());
        }
    }

    void takeFrom(PlainRoom room) {
        in(JobState.RUNNING)
                .forEach(job ->
                        room.takeForJob(job.part().slot(), job.pes(), job.part().peIds()));
    }

    boolean hold(int pe) {
        return in(JobState.RUNNING).stream()
                .anyMatch(job -> job.run().orElseThrow().peIds().contains(pe));
    }

    /** The earliest place of the first that waits. */
    Optional<Part> kept(PlainRoom room, Cluster cluster, long now, long end) {
        return in(JobState.QUEUED).stream()
                .findFirst()
                .flatMap(head -> LongStream.rangeClosed(now, Math.max(now, end))
                        .mapToObj(start -> Slot.of(start, head.estimate()))
                        .filter(slot -> room.isFree(slot, head.pes(), cluster.pes()))
                        .findFirst()
                        .map(slot -> {
                            var part = Part.whole(slot, head.pes());
                            return room.bound(slot, head.pes(), cluster.pes())
                                    .map(part::on)
                                    .orElse(part);
                        }));
    }

    /**
     * T of paper 001, section 4.1: by then all PEs together have done the work of all that begins before, jobs taking half of
     * what they are estimated to.
     */
    long presentWork(Collection<PlainSchedule.Booking> bookings, int pes, long now) {
        // twice the PE-seconds
        long work = all.values().stream()
                .mapToLong(job ->
                        job.pes() * job.run().map(run -> run.until() - now).orElse(job.estimate()))
                .sum();
        var counted = new HashSet<PlainSchedule.Booking>();
        for (boolean goesOn = true; goesOn; ) {
            goesOn = false;
            for (var booking : bookings) {
                long begins = Math.max(0, booking.slot().start() - now);
                if (booking.slot().end() > now && begins * pes * 2 < work && counted.add(booking)) {
                    work += 2
                            * (booking.slot().end() - now - begins)
                            * booking.terms().pes();
                    goesOn = true;
                }
            }
        }
        long twice = pes * 2L;
        return now + (work + twice - 1) / twice;
    }

    /** A job of an outside batch system, which waits. */
    static BatchJob told(OutsideJob job, Cluster cluster, int rank, long now) {
        return BatchJob.queued(
                JobId.outside(cluster.id(), job.name()),
                cluster.id(),
                job.owner(),
                Optional.of(job.name()),
                job.pes(),
                job.estimate(),
                Math.min(now, job.submittedAt()),
                rank,
                JobSource.OUTSIDE);
    }

    /** Until when a job that runs has PEs, at most until {@code end}: as long as as many are free, or those that it is told to have. */
    static long until(PlainRoom room, Cluster cluster, OutsideJob job, long now, long end) {
        long until = now;
        while (until < end && isFree(room, cluster, job, new Slot(now, until + 1))) {
            until++;
        }
        return until;
    }

    private static boolean isFree(PlainRoom room, Cluster cluster, OutsideJob job, Slot slot) {
        return job.peIds()
                .map(ids -> room.has(new PlainPlace(slot, Optional.of(ids)), job.pes()))
                .orElseGet(() -> room.isFree(slot, job.pes(), cluster.pes()));
    }

    /**
     * What of a job can be told again without being news: not from when on it was known to have its PEs, nor which, unless it is one
     * of those {@code named} of which that is told.
     */
    static List<Object> news(BatchJob job, Set<String> named) {
        return job.run()
                .<List<Object>>map(run -> List.of(
                        job.running(new Run(0, new Slot(0, 1), PeSet.NONE)),
                        run.start(),
                        run.until(),
                        named.contains(job.name().orElseThrow()) ? run.peIds() : PeSet.NONE))
                .orElseGet(() -> List.of(job));
    }
}
