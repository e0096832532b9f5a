package berth.slurm;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Whose the reservations are: those of the plan, and those that are over as long as jobs run in them. */
final class Owners {

    /**
     * The owner of a reservation.
     *
     * @param account the account in Berth
     * @param users the users who run jobs for it: those whom the reservation names, and those of the account
     */
    record Owner(String account, Set<String> users) {}

    private final Predicate<String> isOurs;
    private final Map<String, Owner> known = new HashMap<>();

    /** @param isOurs whether a reservation is this agent's */
    Owners(Predicate<String> isOurs) {
        this.isOurs = isOurs;
    }

    /** Learns the owners of the plan, and forgets those whose reservations have no more jobs. */
    void learn(Map<String, Owner> planned, Collection<SlurmJob> jobs) {
        var needed = new HashSet<>(planned.keySet());
        jobs.forEach(job -> needed.addAll(job.reservations()));
        known.putAll(planned);
        known.keySet().retainAll(needed);
    }

    /**
     * Checks whether a job is not the owner's. The owner's are the jobs of the reservation's users, and those in other reservations of the
     * same account. A job in a reservation whose owner this agent never knew may be the owner's; the agent ends it anyway.
     */
    boolean isOfOthers(SlurmJob job, String reservation) {
        var owner = known.get(reservation);
        return owner != null
                && !owner.users().contains(job.user())
                && job.reservations().stream().allMatch(own -> {
                    var other = known.get(own);
                    return other == null ? !isOurs.test(own) : !other.account().equals(owner.account());
                });
    }
}
