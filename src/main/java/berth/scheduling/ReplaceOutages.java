package berth.scheduling;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Replaces the outages of one source by its latest report, in this order: outages that are no longer reported end ({@link EndOutage}),
 * continuing ones stay, and new ones are recorded ({@link RecordOutage}). PEs that another source's outage already has are out of service
 * because of that one alone while it lasts; PEs that the cluster does not have are ignored. An outage without remaining PEs or with an
 * error is skipped; the others are taken.
 *
 * @param source the source; outages of other sources and of operators stay as they are
 * @param outages all present outages, at most {@link #MAX}
 */
public record ReplaceOutages(String source, List<ToldOutage> outages) implements Command {

    public static final int MAX = 1_000;

    /**
     * A reported outage. It continues an earlier one if it has the same PEs and end, and the same start or both have begun.
     *
     * @param id the id if it is new
     * @param peIds the PEs out of service
     * @param from the start, in seconds since the epoch; empty or in the past means that it has begun
     * @param to the end; empty if it lasts until it is no longer reported
     * @param reason a note
     */
    public record ToldOutage(OutageId id, PeSet peIds, OptionalLong from, OptionalLong to, Optional<String> reason) {

        /**
         * Returns a piece of the outage with its own id. Ids of one instant count up from the right; those of pieces differ on the left, so
         * they do not collide.
         */
        private ToldOutage piece(int number, PeSet some, OptionalLong until) {
            var value = id.value();
            // after the two bits that are the same in every UUID
            long left = (long) number << 46;
            var name = new UUID(value.getMostSignificantBits(), value.getLeastSignificantBits() ^ left);
            return new ToldOutage(new OutageId(name), some, from, until, reason);
        }

        private RecordOutage record(String source, long now) {
            var ahead = from.isPresent() && from.getAsLong() > now ? from : OptionalLong.empty();
            return new RecordOutage(id, peIds.size(), Optional.of(peIds), ahead, to, reason, Optional.of(source));
        }

        private boolean is(Outage present, long now) {
            return present.peIds().equals(Optional.of(peIds))
                    && present.to().equals(to)
                    && Math.max(now, present.from()) == Math.max(now, from.orElse(now));
        }
    }

    public ReplaceOutages {
        outages = List.copyOf(outages);
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (outages.size() > MAX) {
            return new Decision.Rejected(
                    Rejection.InvalidTerms.of("outages", "must have at most %d entries".formatted(MAX)));
        }
        var before = present(schedule);
        var pieces = outages.stream()
                .flatMap(told -> pieces(told, schedule, now).stream())
                .toList();
        var commands = new ArrayList<Command>();
        before.stream()
                .filter(present -> pieces.stream().noneMatch(piece -> piece.is(present, now)))
                .forEach(present -> commands.add(new EndOutage(present.id())));
        pieces.stream()
                .filter(piece -> before.stream().noneMatch(present -> piece.is(present, now)))
                .forEach(piece -> commands.add(piece.record(source, now)));
        var events = new ArrayList<Event>();
        var after = schedule;
        for (var command : commands) {
            if (command.decide(after, now) instanceof Decision.Accepted(var happened, var next)) {
                events.addAll(happened);
                after = next;
            }
        }
        return new Decision.Accepted(events, after);
    }

    /** Divides an outage into the pieces that belong to this source alone: each PE until another source's outage has it. */
    private List<ToldOutage> pieces(ToldOutage told, ClusterSchedule schedule, long now) {
        long start = Math.max(now, told.from().orElse(now));
        long end = told.to().orElse(Long.MAX_VALUE);
        if (end <= start) {
            return List.of();
        }
        var time = new Slot(start, end);
        var rest = told.peIds().and(PeSet.range(0, schedule.cluster().pes()));
        var byEnd = new TreeMap<Long, PeSet>();
        var others = schedule.outages().stream()
                .filter(other -> !other.source().equals(Optional.of(source))
                        && other.peIds().isPresent()
                        && other.slot().overlaps(time))
                .sorted(Comparator.comparingLong(Outage::from))
                .toList();
        for (var other : others) {
            var taken = rest.and(other.peIds().orElseThrow());
            if (!taken.isEmpty() && other.from() > start) {
                byEnd.merge(other.from(), taken, PeSet::or);
            }
            rest = rest.minus(taken);
        }
        if (!rest.isEmpty()) {
            byEnd.merge(end, rest, PeSet::or);
        }
        var pieces = new ArrayList<ToldOutage>();
        byEnd.forEach((until, pes) ->
                pieces.add(told.piece(pieces.size(), pes, until == end ? told.to() : OptionalLong.of(until))));
        return pieces;
    }

    /** Returns the outages of this source that have not ended. */
    public List<Outage> present(ClusterSchedule schedule) {
        return schedule.outages().stream()
                .filter(outage -> outage.source().equals(Optional.of(source)))
                .toList();
    }

    /**
     * Returns the outages that were skipped, in the order of the report.
     *
     * @param after the schedule after the command
     * @param now the time of that schedule, in seconds since the epoch
     */
    public List<LeftOut> leftOut(ClusterSchedule after, long now) {
        var leftOut = new ArrayList<LeftOut>();
        var taken = present(after);
        for (int index = 0; index < outages.size(); index++) {
            var told = outages.get(index);
            var pieces = pieces(told, after, now);
            boolean isTaken = !pieces.isEmpty()
                    && pieces.stream().allMatch(piece -> taken.stream().anyMatch(present -> piece.is(present, now)));
            if (!isTaken) {
                leftOut.add(new LeftOut(index, why("outages[%d].".formatted(index), told, after, now)));
            }
        }
        return leftOut;
    }

    private Violation why(String path, ToldOutage told, ClusterSchedule after, long now) {
        return told.record(source, now).decide(after, now)
                        instanceof Decision.Rejected(Rejection.InvalidTerms(var violations))
                ? new Violation(
                        path + violations.getFirst().field(),
                        violations.getFirst().message())
                : new Violation(
                        path + "peIds", "could not go out of service when this report arrived; report them again");
    }
}
