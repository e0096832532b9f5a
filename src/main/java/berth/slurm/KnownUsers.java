package berth.slurm;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds the users whom Slurm does not know. Asks Slurm about each user once, and again and again about those whom it does not know. */
final class KnownUsers {

    /** How long a user counts as unknown before Slurm is asked again. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    private final Slurm slurm;
    private final Set<String> known = new HashSet<>();
    private final Map<String, Instant> unknown = new HashMap<>();

    KnownUsers(Slurm slurm) {
        this.slurm = slurm;
    }

    /** Returns those of the users whom Slurm does not know. */
    Set<String> unknown(Collection<String> users, Instant now) {
        unknown.keySet().retainAll(users);
        known.retainAll(users);
        var asked = new TreeSet<>(users);
        asked.removeAll(known);
        unknown.forEach((user, at) -> {
            if (now.isBefore(at.plus(RETRY_AFTER))) {
                asked.remove(user);
            }
        });
        var found = slurm.unknown(asked);
        for (var user : asked) {
            if (found.contains(user)) {
                unknown.put(user, now);
            } else {
                unknown.remove(user);
                known.add(user);
            }
        }
        return Set.copyOf(unknown.keySet());
    }
}
