package berth.slurm;

import berth.cluster.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A job that runs on nodes of a reservation without being in it.
 *
 * @param nodes the nodes of the reservation that the job has
 * @param until when its time limit ends it, in seconds since the epoch; {@link Long#MAX_VALUE} if it has no limit
 * @param isOfOthers whether it is not a job of the reservation's owner
 */
record Intruder(SlurmJob job, SortedSet<String> nodes, long until, boolean isOfOthers) {

    /** How long after the start of a reservation a job may still be ending, in seconds. Slurm needs a few seconds to start a job, too. */
    private static final long ENDING_TIME = 5;

    /** A sentence about the job. */
    String said() {
        var when = until == Long.MAX_VALUE ? "without a time limit" : "until " + Instant.ofEpochSecond(until);
        return "Job %s of %s runs on %s %s.".formatted(job.id(), job.user(), HostList.fold(nodes), when);
    }

    private static boolean hasBegun(MachineReservation reservation, long now) {
        return reservation.start() + ENDING_TIME <= now;
    }

    /**
     * Returns those of a reservation's intruders that take nodes from its owner: all once it has begun, unless they are just ending. Before
     * that, a job may still end in time, so it counts only if no node would be left.
     */
    static List<Intruder> takers(MachineReservation promised, List<Intruder> intruders, long now) {
        boolean areAllTaken = promised.nodes().stream()
                .allMatch(node -> intruders.stream().anyMatch(one -> one.nodes().contains(node)));
        return hasBegun(promised, now) || areAllTaken && now < promised.start() ? intruders : List.of();
    }

    /**
     * Returns the intruders of each reservation that has some, by its name, those that may run longest first. Before a reservation begins,
     * only a job that may still run then is one, unless the job is in a reservation of the cluster that ends by then: the agent ends it.
     *
     * @param promised the reservations that Berth has promised
     */
    static Map<String, List<Intruder>> find(
            Collection<MachineReservation> promised, Collection<SlurmJob> jobs, Owners owners, long now) {
        var byNode = new HashMap<String, List<SlurmJob>>();
        jobs.stream()
                .filter(SlurmJob::isRunning)
                .forEach(job -> job.nodes()
                        .forEach(node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>())
                                .add(job)));
        var ends = new HashMap<String, Long>();
        promised.forEach(each -> ends.put(each.name(), each.end()));
        var found = new HashMap<String, List<Intruder>>();
        for (var each : promised) {
            var nodes = new HashMap<SlurmJob, SortedSet<String>>();
            each.nodes()
                    .forEach(node -> byNode.getOrDefault(node, List.of())
                            .forEach(job -> nodes.computeIfAbsent(job, _ -> new TreeSet<>())
                                    .add(node)));
            var intruders = nodes.entrySet().stream()
                    .map(entry -> new Intruder(
                            entry.getKey(),
                            entry.getValue(),
                            entry.getKey().end(now),
                            owners.isOfOthers(entry.getKey(), each.name())))
                    .filter(one -> !one.job().reservations().contains(each.name()))
                    .filter(one -> hasBegun(each, now) || one.isInTheWayAt(each.start(), ends))
                    .sorted(Comparator.comparing(Intruder::until).reversed())
                    .toList();
            if (!intruders.isEmpty()) {
                found.put(each.name(), intruders);
            }
        }
        return found;
    }

    private boolean isInTheWayAt(long start, Map<String, Long> ends) {
        return until > start
                && job.reservations().stream().noneMatch(own -> ends.getOrDefault(own, Long.MAX_VALUE) <= start);
    }
}
