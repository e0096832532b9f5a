package berth.slurm;

import berth.slurm.Owners.Owner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The promises of Berth on the cluster.
 *
 * @param sequence the sequence of the last event of the cluster that the plan certainly includes
 * @param wanted the reservations of users that the machine should have
 * @param maintenances the reservations that the machine should have for outages that it does not know
 * @param owners whose the reservations of users are, by their names
 * @param running the ids of the reservations that have begun
 * @param impossible why a promise cannot be put in place, by the name that it would have there; if it is wanted as well, the machine has it for
 *     other users
 */
record AgentPlan(
        long sequence,
        List<MachineReservation> wanted,
        List<MachineReservation> maintenances,
        Map<String, Owner> owners,
        Set<UUID> running,
        Map<String, Refusal> impossible) {

    /**
     * Why a promise cannot be put in place.
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
    AgentPlan withoutMaintenances() {
        return new AgentPlan(sequence, wanted, List.of(), owners, running, impossible);
    }

    /**
     * Returns the plan without users whom the machine does not know. It would refuse a reservation for them, so one that it does not have yet
     * cannot be there. One that it has is for the others from now on, or stays for whom it is if there are no others.
     */
    AgentPlan without(Set<String> unknownUsers, Map<String, MachineReservation> present) {
        var possible = new ArrayList<MachineReservation>();
        var refused = new HashMap<>(impossible);
        for (var each : wanted) {
            var there = present.get(each.name());
            var known = new TreeSet<>(each.users());
            // the machine knows the users of the reservations that it has
            boolean isAllKnown = !known.removeAll(unknownUsers)
                    || there != null && there.users().equals(each.users());
            if (isAllKnown) {
                possible.add(each);
                continue;
            }
            var strangers = each.users().stream().filter(unknownUsers::contains).toList();
            refused.put(
                    each.name(),
                    new Refusal(
                            "Slurm does not know %s. Name other users.".formatted(String.join(", ", strangers)),
                            "USERS_UNKNOWN"));
            if (there != null) {
                possible.add(each.of(known.isEmpty() ? there.users() : known));
            }
        }
        return new AgentPlan(sequence, possible, maintenances, owners, running, refused);
    }
}
