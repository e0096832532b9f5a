package berth.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What Berth has promised on the cluster.
 *
 * @param sequence the sequence of the last event of the cluster that the plan certainly includes
 * @param wanted the reservations of users that Slurm should have
 * @param maintenances the reservations that Slurm should have for outages that it does not know
 * @param running the ids of the reservations that have begun
 * @param impossible why a promise cannot be put into Slurm, by the name that it would have there
 */
record Plan(
        long sequence,
        List<SlurmReservation> wanted,
        List<SlurmReservation> maintenances,
        Set<UUID> running,
        Map<String, Refusal> impossible) {

    /**
     * Why a promise cannot be put into Slurm.
     *
     * @param why a sentence for the owner
     * @param cause the cause as Berth names it; null if Berth has no name for it
     */
    record Refusal(String why, @Nullable String cause) {}

    /** Returns the names of all its reservations. */
    Set<String> names() {
        var names = new HashSet<>(impossible.keySet());
        wanted.forEach(each -> names.add(each.name()));
        maintenances.forEach(each -> names.add(each.name()));
        return names;
    }

    /** Returns the plan without the reservations for outages. */
    Plan withoutMaintenances() {
        return new Plan(sequence, wanted, List.of(), running, impossible);
    }

    /** Returns the plan without the reservations that Slurm does not have yet and would refuse, because it does not know a user. */
    Plan without(Set<String> unknownUsers, Set<String> present) {
        var possible = new ArrayList<SlurmReservation>();
        var refused = new HashMap<>(impossible);
        for (var each : wanted) {
            var strangers = each.users().stream().filter(unknownUsers::contains).toList();
            if (strangers.isEmpty() || present.contains(each.name())) {
                possible.add(each);
            } else {
                refused.put(
                        each.name(),
                        new Refusal(
                                "Slurm does not know %s. Reserve for other users instead."
                                        .formatted(String.join(", ", strangers)),
                                "USERS_UNKNOWN"));
            }
        }
        return new Plan(sequence, possible, maintenances, running, refused);
    }
}
