package berth.slurm;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A reservation on the machine.
 *
 * @param name the name there, which jobs use to request it
 * @param start when it begins, in seconds since the epoch
 * @param end when it ends, in seconds since the epoch
 * @param nodes the names of its nodes; empty if it reserves only licences
 * @param users the users who may run jobs in it
 */
record MachineReservation(String name, long start, long end, SortedSet<String> nodes, SortedSet<String> users) {

    private static final String MAINTENANCE = ".maintenance";

    MachineReservation {
        nodes = Collections.unmodifiableSortedSet(nodes);
        users = Collections.unmodifiableSortedSet(users);
    }

    /** Returns the name of the reservation that keeps the jobs of the queue off the nodes of an outage. */
    static String nameOfMaintenance(String prefix, UUID outage) {
        return prefix + outage + MAINTENANCE;
    }

    /** Checks whether a reservation with this name is for an outage, if it is this agent's at all. */
    static boolean isMaintenance(String name) {
        return name.endsWith(MAINTENANCE);
    }

    boolean isMaintenance() {
        return isMaintenance(name);
    }

    MachineReservation on(Collection<String> otherNodes) {
        return new MachineReservation(name, start, end, new TreeSet<>(otherNodes), users);
    }

    MachineReservation at(long otherStart, long otherEnd) {
        return new MachineReservation(name, otherStart, otherEnd, nodes, users);
    }

    MachineReservation of(SortedSet<String> otherUsers) {
        return new MachineReservation(name, start, end, nodes, otherUsers);
    }

    /** Checks whether it equals {@code other}. The starts may differ once both have begun. */
    boolean isAs(MachineReservation other, long now) {
        return end == other.end
                && Math.max(now, start) == Math.max(now, other.start)
                && nodes.equals(other.nodes)
                && users.equals(other.users);
    }

    /** Checks whether it gives its users at least what {@code promised} says. What has begun needs no start. */
    boolean covers(MachineReservation promised, long now) {
        return end >= promised.end
                && Math.max(now, start) <= Math.max(now, promised.start)
                && nodes.equals(promised.nodes)
                && users.equals(promised.users);
    }

    boolean isInTheWayOf(MachineReservation other) {
        return start < other.end && other.start < end && !Collections.disjoint(nodes, other.nodes);
    }

    boolean takes(Collection<String> some) {
        return !Collections.disjoint(nodes, some);
    }
}
