package berth.scheduling;

import berth.sla.FairUse;
import berth.sla.FairUse.CoolDown;
import berth.sla.Part;
import berth.sla.Violation;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Checks how the runs of an account follow each other in time. O(n log n) for n runs.
 *
 * @param limits the account's limits
 * @param others the parts of each of its other runs, past and future, in order
 */
record FairUseCheck(FairUse limits, List<List<Part>> others) {

    /** Returns the limit that another run would exceed; empty if there is none. */
    Optional<Violation> exceeded(List<Part> run) {
        return limits.coolDown()
                .flatMap(coolDown -> tooSoon(coolDown, run))
                .or(() -> limits.peHoursPerWeek().isPresent()
                        ? tooMuch(limits.peHoursPerWeek().getAsLong(), run)
                        : Optional.empty());
    }

    /** Returns a violation if two runs, of which one is this, follow each other too soon. */
    private Optional<Violation> tooSoon(CoolDown coolDown, List<Part> run) {
        long missing = others.stream()
                .mapToLong(other -> Math.max(missing(coolDown, other, run), missing(coolDown, run, other)))
                .max()
                .orElse(0);
        return missing > 0
                ? Optional.of(new Violation(
                        "limits.coolDown",
                        "%d s are missing: after a run of %d s or longer has begun, the next begins at least %d s after its end; choose another time"
                                .formatted(missing, coolDown.after(), coolDown.duration())))
                : Optional.empty();
    }

    /** Returns by how many seconds the second run begins too soon after the first; at most 0 if it does not, or if it begins before it. */
    private static long missing(CoolDown coolDown, List<Part> first, List<Part> second) {
        long start = first.getFirst().slot().start();
        long end = first.getLast().slot().end();
        long next = second.getFirst().slot().start();
        return start <= next && end - start >= coolDown.after() ? end + coolDown.duration() - next : 0;
    }

    /** Returns a violation if seven days that have a second of this run hold more than that many PE-hours. */
    private Optional<Violation> tooMuch(long most, List<Part> run) {
        long first = run.getFirst().slot().start() - FairUse.WEEK + 1;
        var parts = Stream.concat(others.stream().flatMap(List::stream), run.stream())
                .filter(part -> part.slot().end() > first)
                .toList();
        // most often, all of them together are not too much
        if (parts.stream()
                        .mapToDouble(part -> (double) part.slot().duration() * part.pes())
                        .sum()
                <= most * 3600.0) {
            return Optional.empty();
        }
        var work = new Work(parts);
        long last = run.getLast().slot().end() - 1;
        // between two of these, the sum changes evenly
        double seconds = LongStream.concat(
                        LongStream.of(first, last),
                        work.changes().stream()
                                .flatMapToLong(at -> LongStream.of(at, at - FairUse.WEEK))
                                .filter(begin -> first <= begin && begin <= last))
                .mapToDouble(begin -> work.before(begin + FairUse.WEEK) - work.before(begin))
                .max()
                .orElseThrow();
        return seconds > most * 3600.0
                ? Optional.of(new Violation(
                        "limits.peHoursPerWeek",
                        "%.1f PE-hours would lie in seven days, but at most %d may; book less, or at another time"
                                .formatted(seconds / 3600.0, most)))
                : Optional.empty();
    }

    /** The PE-seconds of several parts over time. */
    private static final class Work {

        /** The PEs in use from a time on, and the PE-seconds before it. */
        private record Level(long pes, double before) {}

        private final TreeMap<Long, Level> levels = new TreeMap<>();

        Work(Collection<Part> parts) {
            var changes = new TreeMap<Long, Long>();
            for (var part : parts) {
                changes.merge(part.slot().start(), (long) part.pes(), Long::sum);
                changes.merge(part.slot().end(), (long) -part.pes(), Long::sum);
            }
            var level = new Level(0, 0);
            long since = 0;
            for (var change : changes.entrySet()) {
                long at = change.getKey();
                level = new Level(level.pes + change.getValue(), level.before + (double) level.pes * (at - since));
                since = at;
                levels.put(at, level);
            }
        }

        Collection<Long> changes() {
            return levels.keySet();
        }

        double before(long time) {
            var last = levels.floorEntry(time);
            return last == null ? 0 : last.getValue().before + (double) last.getValue().pes * (time - last.getKey());
        }
    }
}
