package berth.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A shorter time limit for a job that waits in a reservation that has begun. Slurm starts no job whose limit reaches into the next
 * reservation of its nodes, so without the cut the job would wait until its reservation is over.
 *
 * @param minutes the new limit, at least 1
 * @param next when the next reservation of its nodes begins, in seconds since the epoch
 */
record LimitCut(SlurmJob job, long minutes, long next) {

    /** How long Slurm may need to start the job after the cut, in seconds. */
    private static final long LATENCY = 5;

    private static final long MINUTE = 60;

    /**
     * Returns the cuts for the jobs that wait in a reservation, and for which enough of its nodes are idle now, but not for long enough.
     *
     * @param reservation a reservation that has begun, as Slurm has it
     * @param all all reservations in Slurm
     * @param queue all jobs, in the order of the queue
     */
    static List<LimitCut> find(
            MachineReservation reservation, Collection<MachineReservation> all, Collection<SlurmJob> queue, long now) {
        var busy = new HashSet<String>();
        queue.stream().filter(SlurmJob::isRunning).forEach(job -> busy.addAll(job.nodes()));
        var idle = new ArrayList<>(reservation.nodes());
        idle.removeAll(busy);
        var nexts = nexts(reservation, all, now);
        // a job gets the nodes that stay idle longest
        idle.sort(Comparator.comparing((String node) -> nexts.getOrDefault(node, Long.MAX_VALUE))
                .reversed());
        var cuts = new ArrayList<LimitCut>();
        for (var job : queue) {
            if (!job.isFor(reservation.name()) || job.count() > idle.size()) {
                continue;
            }
            var taken = idle.subList(0, job.count());
            long next = nexts.getOrDefault(taken.getLast(), Long.MAX_VALUE);
            long minutes = (next - now - LATENCY) / MINUTE;
            taken.clear();
            if (job.limit().orElse(Long.MAX_VALUE) > next - now && minutes > 0) {
                cuts.add(new LimitCut(job, minutes, next));
            }
        }
        return cuts;
    }

    /** Returns when the next reservation begins on each node that has one. */
    private static Map<String, Long> nexts(
            MachineReservation reservation, Collection<MachineReservation> all, long now) {
        var nexts = new HashMap<String, Long>();
        all.stream()
                .filter(other -> !other.name().equals(reservation.name()) && other.start() > now)
                .forEach(other -> other.nodes().forEach(node -> nexts.merge(node, other.start(), Math::min)));
        return nexts;
    }
}
