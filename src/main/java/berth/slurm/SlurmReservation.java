package berth.slurm;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;

/**
 * A reservation in Slurm.
 *
 * @param name what Slurm knows it by, and jobs ask for
 * @param start seconds since the epoch
 * @param end seconds since the epoch
 * @param nodes by their names; none if it reserves licences alone
 * @param users who may run jobs in it
 */
record SlurmReservation(String name, long start, long end, SortedSet<String> nodes, SortedSet<String> users) {

    SlurmReservation {
        nodes = Collections.unmodifiableSortedSet(nodes);
        users = Collections.unmodifiableSortedSet(users);
    }

    SlurmReservation at(long otherStart, long otherEnd) {
        return new SlurmReservation(name, otherStart, otherEnd, nodes, users);
    }

    /** Whether it is as {@code other} says; when it has begun no longer matters once both have. */
    boolean isAs(SlurmReservation other, long now) {
        return end == other.end
                && Math.max(now, start) == Math.max(now, other.start)
                && nodes.equals(other.nodes)
                && users.equals(other.users);
    }

    boolean isInTheWayOf(SlurmReservation other) {
        return start < other.end && other.start < end && !Collections.disjoint(nodes, other.nodes);
    }

    boolean takes(Collection<String> some) {
        return !Collections.disjoint(nodes, some);
    }
}
