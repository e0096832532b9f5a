package berth.slurm;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What Berth has promised on the cluster.
 *
 * @param sequence the sequence of the last event of the cluster that the plan certainly includes
 * @param wanted the reservations that Slurm should have
 * @param running the ids of the reservations that have begun
 * @param impossible why a promise cannot be put into Slurm, by the name that it would have there
 */
record Plan(long sequence, List<SlurmReservation> wanted, Set<UUID> running, Map<String, String> impossible) {

    /** Returns the names of all promised reservations. */
    Set<String> names() {
        var names = new HashSet<>(impossible.keySet());
        wanted.forEach(each -> names.add(each.name()));
        return names;
    }
}
