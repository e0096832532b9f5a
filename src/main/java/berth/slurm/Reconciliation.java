package berth.slurm;

import berth.slurm.MachineChange.Create;
import berth.slurm.MachineChange.Delete;
import berth.slurm.MachineChange.Update;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares the reservations in Slurm with those that Berth has promised. It looks only at current states, never at earlier changes. */
final class Reconciliation {

    /** How far in the past a new reservation may begin, in seconds: Slurm refuses more than ten minutes. */
    private static final long MAX_AGE = 540;

    /** How far Berth's time may be ahead of the agent's, in seconds: it may know of an end that is still to come here. */
    private static final long AHEAD_OF_US = Reports.MAX_DIFFERENCE.toSeconds();

    /** The largest number of this agent's reservations. Slurm holds at most 9,999, including those of others. */
    private static final int MAX = 5_000;

    private Reconciliation() {}

    /**
     * Returns the changes that Slurm needs, in an order in which changes that free nodes come first: deletions, updates, and creations by
     * their starts.
     *
     * @param wanted the reservations that Berth has promised, as far ahead as they are known
     * @param present this agent's reservations in Slurm
     * @param margin how much later than promised a reservation may end in Slurm, in seconds. One whose promised time is over ends by itself,
     *     unless another one needs its nodes before
     * @param ahead the time in seconds since the epoch up to which reservations are created. Reservations that begin later, or exceed the
     *     largest number, are not created yet, but existing ones stay
     */
    static List<MachineChange> changes(
            Collection<MachineReservation> wanted,
            Collection<MachineReservation> present,
            long margin,
            long now,
            long ahead) {
        var presentByName = byName(present);
        var wantedByName = byName(wanted);
        var changes = new ArrayList<MachineChange>();
        present.stream()
                // Slurm itself ends reservations whose time is over, and the jobs in them
                .filter(each -> each.end() > now && !wantedByName.containsKey(each.name()))
                .filter(each -> each.end() - margin - AHEAD_OF_US > now
                        || wanted.stream().anyMatch(each::isInTheWayOf))
                .forEach(each -> changes.add(new Delete(each)));
        for (var each : wantedByName.values()) {
            var there = presentByName.get(each.name());
            if (there != null && there.start() <= now && each.start() > now) {
                // Slurm cannot delay a reservation that has begun
                changes.add(new Delete(there));
            } else if (there != null && !there.isAs(each, now)) {
                changes.add(new Update(there, each));
            }
        }
        wantedByName.values().stream()
                .filter(each -> !presentByName.containsKey(each.name()) && each.start() <= ahead && each.end() > now)
                .sorted(Comparator.comparingLong(MachineReservation::start))
                .limit(Math.max(0, MAX - present.size()))
                .forEach(each -> changes.add(new Create(each.at(Math.max(each.start(), now - MAX_AGE), each.end()))));
        return changes;
    }

    static Map<String, MachineReservation> byName(Collection<MachineReservation> reservations) {
        return reservations.stream()
                .collect(Collectors.toMap(MachineReservation::name, Function.identity(), (first, _) -> first));
    }

    /** Returns the agent's reservations for users. */
    static List<MachineReservation> promised(Collection<MachineReservation> all, Predicate<String> isOurs) {
        return all.stream()
                .filter(each -> isOurs.test(each.name()) && !each.isMaintenance())
                .toList();
    }

    /** Returns the agent's reservations for outages. */
    static List<MachineReservation> maintenances(Collection<MachineReservation> all, Predicate<String> isOurs) {
        return all.stream()
                .filter(each -> isOurs.test(each.name()) && each.isMaintenance())
                .toList();
    }

    /** Returns the reservations that are not the agent's. */
    static List<MachineReservation> foreign(Collection<MachineReservation> all, Predicate<String> isOurs) {
        return all.stream().filter(each -> !isOurs.test(each.name())).toList();
    }
}
