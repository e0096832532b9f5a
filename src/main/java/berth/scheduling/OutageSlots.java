package berth.scheduling;

import berth.availability.Step;
import berth.cluster.OutageId;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * A question without effect: when would an outage harm least? The answer holds for the schedule it was asked of, and is no promise.
 *
 * @param pes how many go out of service, no particular ones
 * @param duration for how long, in seconds, at least 1
 * @param range in which it begins and ends, from now on; at least as long
 * @param limit the most times to name, at least 1
 */
public record OutageSlots(int pes, long duration, Slot range, int limit) {

    /** For so many it is found out who would be moved, and who would fail. */
    private static final int MAX_TRIED = 16;

    private static final OutageId NOBODYS = new OutageId(new UUID(0, 0));

    /**
     * A time for the outage.
     *
     * @param effects what would happen if it were recorded now, the last event being the outage itself
     */
    public record Candidate(Slot slot, List<Event> effects) {

        private long count(Event.Type type) {
            return effects.stream().filter(event -> event.type() == type).count();
        }
    }

    /** What was found. */
    public sealed interface Answer {
        /** Times that do not overlap: first those where the fewest reservations fail, of these where the fewest are moved, the earliest. */
        record Candidates(List<Candidate> candidates) implements Answer {}

        /** It can be at none of the times that were tried; why not at the one where the fewest PEs are taken. */
        record Refused(Rejection reason) implements Answer {}
    }

    /**
     * Looks at all times at which what is taken changes, begins with those where the fewest of the PE-seconds are taken, and finds out
     * what an outage would do there. O(n log n) for n runs and points of the profile, beside the decisions.
     */
    public Answer ask(ClusterSchedule schedule, long now) {
        var tried = fewestTaken(schedule).stream()
                .map(slot -> new Tried(slot, outage(slot).decide(schedule, now)))
                .toList();
        var candidates = tried.stream()
                .flatMap(one -> one.candidate().stream())
                .sorted(Comparator.<Candidate>comparingLong(one -> one.count(Event.Type.FAILED))
                        .thenComparingLong(one -> one.count(Event.Type.MOVED))
                        .thenComparingLong(one -> one.slot.start()))
                .limit(limit)
                .toList();
        return candidates.isEmpty() && tried.getFirst().decision instanceof Decision.Rejected(var reason)
                ? new Answer.Refused(reason)
                : new Answer.Candidates(candidates);
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

    /** Of the times that do not overlap, those at which the fewest of the PEs are taken, the earliest first of equals. */
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

    /** The beginning of the range, and wherever the outage would begin or end with a run, or as what is free changes. */
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

    /** The PE-seconds that the outage would take from others. */
    private final class Taken {
        private final List<Step> steps;

        /** Up to the beginning of each step. */
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

        /** From the beginning of the range up to {@code second}, which lies in it. O(log n) for n steps. */
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
