package berth.slurm;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;

/**
 * A reservation in Slurm.
 *
 * @param name the name in Slurm, which jobs use to request it
 * @param start when it begins, in seconds since the epoch
 * @param end when it ends, in seconds since the epoch
 * @param nodes the names of its nodes; empty if it reserves only licences
 * @param users the users who may run jobs in it
 */
record SlurmReservation(String name, long start, long end, SortedSet<String> nodes, SortedSet<String> users) {

    SlurmReservation {
        nodes = Collections.unmodifiableSortedSet(nodes);
        users = Collections.unmodifiableSortedSet(users);
    }

    SlurmReservation at(long otherStart, long otherEnd) {
        return new SlurmReservation(name, otherStart, otherEnd, nodes, users);
    }

    /** Checks whether it equals {@code other}. The starts may differ once both have begun. */
    boolean isAs(SlurmReservation other, long now) {
        return end == other.end
                && Math.max(now, start) == Math.max(now, other.start)
                && nodes.equals(other.nodes)
                && users.equals(other.users);
    }

    /** Checks whether it gives its users at least what {@code promised} says. What has begun needs no start. */
    boolean covers(SlurmReservation promised, long now) {
        return end >= promised.end
                && Math.max(now, start) <= Math.max(now, promised.start)
                && nodes.equals(promised.nodes)
                && users.equals(promised.users);
    }

    boolean isInTheWayOf(SlurmReservation other) {
        return start < other.end && other.start < end && !Collections.disjoint(nodes, other.nodes);
    }

    boolean takes(Collection<String> some) {
        return !Collections.disjoint(nodes, some);
    }
}
