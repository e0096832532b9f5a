package berth.scheduling.commands;

import berth.availability.Step;
import berth.cluster.OutageId;
import berth.outcome.Outcome;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * A read-only question: when would an outage harm least? The answer holds for the schedule that was asked and promises nothing.
 *
 * @param pes the number of PEs of the outage, which names none
 * @param duration the length in seconds, at least 1
 * @param range the time that must contain the outage, not before now and at least as long as it
 * @param limit the most candidates to return, at least 1
 */
public record OutageSlots(int pes, long duration, Slot range, int limit) {

    /** The most times for which the effects are computed. */
    private static final int MAX_TRIED = 16;

    private static final Set<Event.Type> HARM = EnumSet.of(Event.Type.FAILED, Event.Type.LOSING, Event.Type.DEGRADED);

    private static final OutageId NOBODYS = new OutageId(new UUID(0, 0));

    /**
     * A time for the outage.
     *
     * @param effects the events that would follow if the outage were recorded now; the last one is the outage
     */
    public record Candidate(Slot slot, List<Event> effects) {

        /** Returns how many reservations would fail or run on with fewer PEs. */
        private long harmed() {
            return effects.stream().filter(event -> HARM.contains(event.type())).count();
        }

        private long moved() {
            return effects.stream()
                    .filter(event -> event.type() == Event.Type.MOVED)
                    .count();
        }
    }

    /**
     * Considers every time at which the number of taken PEs changes, picks those with the fewest taken PE-seconds, and computes the effects
     * of an outage there. O(n log n) for n runs and points of the profile, plus the decisions.
     */
    public Outcome<List<Candidate>, Rejection> ask(ClusterSchedule schedule, long now) {
        var tried = fewestTaken(schedule).stream()
                .map(slot -> new Tried(slot, outage(slot).decideBeforeNearest(schedule, now)))
                .toList();
        var candidates = tried.stream()
                .flatMap(one -> one.candidate().stream())
                .sorted(Comparator.comparingLong(Candidate::harmed)
                        .thenComparingLong(Candidate::moved)
                        .thenComparingLong(one -> one.slot.start()))
                .limit(limit)
                .toList();
        return candidates.isEmpty() && tried.getFirst().decision instanceof Decision.Rejected(var reason)
                ? new Outcome.NotDone<>(reason)
                : new Outcome.Done<>(candidates);
    }

    private record Tried(Slot slot, Decision decision) {
        Optional<Candidate> candidate() {
            return decision instanceof Decision.Accepted(var events, var _)
                    ? Optional.of(new Candidate(slot, events))
                    : Optional.empty();
        }
    }

    private RecordOutage outage(Slot slot) {
        return new RecordOutage(
                NOBODYS,
                pes,
                Optional.empty(),
                OptionalLong.of(slot.start()),
                OptionalLong.of(slot.end()),
                Optional.empty());
    }

    /** Returns the times with the fewest taken PE-seconds that do not overlap, earliest first among equals. */
    private List<Slot> fewestTaken(ClusterSchedule schedule) {
        var steps = schedule.profile().steps(range);
        var taken = new Taken(steps);
        var byHarm = starts(schedule, steps)
                .boxed()
                .sorted(Comparator.<Long>comparingLong(start -> taken.before(start + duration) - taken.before(start))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        var found = new ArrayList<Slot>();
        for (long start : byHarm) {
            var slot = Slot.of(start, duration);
            if (found.size() < MAX_TRIED && found.stream().noneMatch(slot::overlaps)) {
                found.add(slot);
            }
        }
        return found;
    }

    /**
     * Returns the possible starts: the begin of the range, and every time at which the outage would begin or end together with a run or a
     * change of the free PEs.
     */
    private LongStream starts(ClusterSchedule schedule, List<Step> steps) {
        var runs = schedule.reservations().stream()
                .flatMap(reservation -> reservation.parts().stream())
                .flatMapToLong(
                        part -> LongStream.of(part.slot().start(), part.slot().end()));
        return LongStream.concat(steps.stream().mapToLong(Step::start), runs)
                .flatMap(change -> LongStream.of(change, change - duration))
                .filter(start -> start >= range.start() && start + duration <= range.end())
                .distinct();
    }

    /** The PE-seconds that the outage would take from reservations and jobs. */
    private final class Taken {
        private final List<Step> steps;

        /** The sums up to the beginning of each step. */
        private final long[] sums;

        Taken(List<Step> steps) {
            this.steps = steps;
            sums = new long[steps.size()];
            for (int i = 1; i < sums.length; i++) {
                sums[i] = sums[i - 1]
                        + missing(i - 1)
                                * (steps.get(i).start() - steps.get(i - 1).start());
            }
        }

        private long missing(int step) {
            return Math.max(0, pes - steps.get(step).free());
        }

        /** Returns the sum from the beginning of the range to {@code second}, which must lie in it. O(log n) for n steps. */
        long before(long second) {
            int low = 0;
            int high = steps.size() - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (steps.get(middle).start() <= second) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return sums[low] + missing(low) * (second - steps.get(low).start());
        }
    }
}
