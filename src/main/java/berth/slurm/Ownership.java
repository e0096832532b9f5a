package berth.slurm;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Tells the reservations in Slurm that stem from this Berth from all others. The name alone does not suffice, because another Berth may
 * have a cluster of the same name: the id in the name must be that of a reservation or outage that this Berth has recorded. Ids are unique among all Berths. A Berth
 * that went back to an earlier backup has no record of the reservations made since, so they are not its own either.
 */
final class Ownership {

    private static final Pattern NAME = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.\\w+");

    private final String prefix;
    private final boolean adopts;
    private final Predicate<UUID> reservations;
    private final Predicate<UUID> outages;
    private final Set<UUID> recorded = new HashSet<>();
    private final Set<UUID> unknown = new HashSet<>();

    /**
     * Creates an ownership that knows no reservation yet.
     *
     * @param prefix the prefix of the names of all reservations of the cluster
     * @param adopts whether every reservation with a name of this form is taken for this Berth's
     * @param reservations asks Berth whether it has ever had a reservation with an id
     * @param outages asks Berth whether it has ever had an outage with an id
     */
    Ownership(String prefix, boolean adopts, Predicate<UUID> reservations, Predicate<UUID> outages) {
        this.prefix = prefix;
        this.adopts = adopts;
        this.reservations = reservations;
        this.outages = outages;
    }

    /**
     * Finds out whose reservations they are. Asks Berth only once about each id, and not about those that it has promised.
     *
     * @param names the names of all reservations in Slurm
     * @param promised the names that Berth's plan has
     * @return the names that look like this Berth's but are not
     */
    SortedSet<String> look(Collection<String> names, Collection<String> promised) {
        promised.forEach(name -> id(name).ifPresent(recorded::add));
        unknown.removeAll(recorded);
        var strangers = new TreeSet<String>();
        var seen = new HashSet<UUID>();
        promised.forEach(name -> id(name).ifPresent(seen::add));
        for (var name : names) {
            id(name).ifPresent(id -> {
                seen.add(id);
                if (!adopts && !recorded.contains(id) && !unknown.contains(id)) {
                    var asked = MachineReservation.isMaintenance(name) ? outages : reservations;
                    (asked.test(id) ? recorded : unknown).add(id);
                }
                if (!isOurs(name)) {
                    strangers.add(name);
                }
            });
        }
        recorded.retainAll(seen);
        unknown.retainAll(seen);
        return strangers;
    }

    /** Returns whether a reservation is this Berth's, as far as the last look has shown. */
    boolean isOurs(String name) {
        return id(name).filter(id -> adopts || recorded.contains(id)).isPresent();
    }

    /** Returns the id in a name of the form {@code prefix id.part}. */
    private Optional<UUID> id(String name) {
        if (!name.startsWith(prefix)) {
            return Optional.empty();
        }
        var rest = name.substring(prefix.length());
        return NAME.matcher(rest).matches() ? Optional.of(UUID.fromString(rest.substring(0, 36))) : Optional.empty();
    }
}
