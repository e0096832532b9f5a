package berth.scheduling;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobId;
import berth.batch.JobSource;
import berth.batch.JobState;
import berth.cluster.Cluster;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
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

/** The oracle for batch jobs: paper 001, section 2, second by second. Mutable. */
public final class PlainJobs {

    private final Map<JobId, BatchJob> all = new HashMap<>();

    public Map<JobId, BatchJob> all() {
        return all;
    }

    public Optional<BatchJob> find(JobId id) {
        return Optional.ofNullable(all.get(id));
    }

    /** Returns the source of the present jobs; empty if there are none. */
    public Optional<JobSource> source() {
        return all.values().stream().map(BatchJob::source).findAny();
    }

    /** Returns the jobs in that state, in the order of the queue. */
    public List<BatchJob> in(JobState state) {
        return all.values().stream()
                .filter(job -> job.state() == state)
                .sorted(Comparator.comparing(BatchJob::rank))
                .toList();
    }

    public long lastRank() {
        return all.values().stream().mapToLong(BatchJob::rank).max().orElse(0);
    }

    public void put(BatchJob job) {
        if (job.state().isLive()) {
            all.put(job.id(), job);
        } else {
            all.remove(job.id());
        }
    }

    public void takeFrom(PlainRoom room) {
        in(JobState.RUNNING)
                .forEach(job ->
                        room.takeForJob(job.part().slot(), job.pes(), job.part().peIds()));
    }

    public boolean hold(int pe) {
        return in(JobState.RUNNING).stream()
                .anyMatch(job -> job.run().orElseThrow().peIds().contains(pe));
    }

    /** Returns the earliest place of the head of the queue. */
    public Optional<Part> kept(PlainRoom room, Cluster cluster, long now, long end) {
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
     * Returns T of paper 001, section 4.1: when all PEs together have done the work of everything that begins before, with jobs taking half
     * of their estimates.
     */
    public long presentWork(Collection<PlainSchedule.Booking> bookings, int pes, long now) {
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

    /** Returns a waiting job of an external batch system. */
    public static BatchJob told(OutsideJob job, Cluster cluster, int rank, long now) {
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

    /** Returns the time until which a running job has its PEs, at most {@code end}: while enough PEs, or its named ones, are free. */
    public static long until(PlainRoom room, Cluster cluster, OutsideJob job, long now, long end) {
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
     * Returns what makes a repeated report of a job news. Its begin does not count, and its PEs count only if it is among {@code named}.
     */
    public static List<Object> news(BatchJob job, Set<String> named) {
        return job.run()
                .<List<Object>>map(run -> List.of(
                        job.running(new Run(0, new Slot(0, 1), PeSet.NONE)),
                        run.start(),
                        run.until(),
                        named.contains(job.name().orElseThrow()) ? run.peIds() : PeSet.NONE))
                .orElseGet(() -> List.of(job));
    }
}
