package berth.slurm;

import berth.slurm.SlurmChange.Create;
import berth.slurm.SlurmChange.Delete;
import berth.slurm.SlurmChange.Update;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What separates what Slurm has from what Berth has promised. Looks at states alone, never at what has been done before. */
final class Reconciliation {

    /** Slurm refuses a beginning that lies further back than ten minutes. */
    private static final long NOT_LONG_AGO = 540;

    /** Slurm takes 9,999 reservations at a time, those of others included. */
    private static final int MAX = 5_000;

    private Reconciliation() {}

    /**
     * What is to be done, what makes room before what needs it: deletions, updates, and creations by their starts.
     *
     * @param wanted what Berth has promised, ahead as far as it is known
     * @param present what Slurm has of this agent's
     * @param ahead what begins later than that, in seconds since the epoch, is not yet created, nor what would be too many; what is there already
     *     is kept
     */
    static List<SlurmChange> acts(
            Collection<SlurmReservation> wanted, Collection<SlurmReservation> present, long now, long ahead) {
        var has = byName(present);
        var wants = byName(wanted);
        var acts = new ArrayList<SlurmChange>();
        present.stream()
                // what is over Slurm ends by itself, and the jobs in it
                .filter(each -> each.end() > now && !wants.containsKey(each.name()))
                .forEach(each -> acts.add(new Delete(each)));
        for (var each : wants.values()) {
            var there = has.get(each.name());
            if (there != null && there.start() <= now && each.start() > now) {
                // one that has begun cannot begin later
                acts.add(new Delete(there));
            } else if (there != null && !there.isAs(each, now)) {
                acts.add(new Update(there, each));
            }
        }
        wants.values().stream()
                .filter(each -> !has.containsKey(each.name()) && each.start() <= ahead && each.end() > now)
                .sorted(Comparator.comparingLong(SlurmReservation::start))
                .limit(Math.max(0, MAX - present.size()))
                .forEach(each -> acts.add(new Create(each.at(Math.max(each.start(), now - NOT_LONG_AGO), each.end()))));
        return acts;
    }

    /** Whether deleting that many of so many is done only after a second look: Berth may have been restored from an old backup. */
    static boolean isSuspicious(long deletions, int present) {
        return deletions >= 10 && deletions * 2 > present;
    }

    static Map<String, SlurmReservation> byName(Collection<SlurmReservation> reservations) {
        return reservations.stream()
                .collect(Collectors.toMap(SlurmReservation::name, Function.identity(), (first, _) -> first));
    }
}
