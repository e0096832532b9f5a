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
 * Whoever watches the PEs of a cluster tells which are out of service; that takes the place of what the same source told before. An outage
 * that is told again goes on, one that is told no longer ends ({@link EndOutage}), and a new one is recorded ({@link RecordOutage}), in
 * this order. PEs that somebody else's outage has are out by that alone for its time, and those that the cluster does not have are passed over. One of
 * which nothing is left, or that cannot be as it is told, is left out, and the others are taken.
 *
 * @param source who tells; outages of other sources, and those that an operator recorded, stay as they are
 * @param outages all that there are, at most {@link #MAX}
 */
public record ReplaceOutages(String source, List<ToldOutage> outages) implements Command {

    public static final int MAX = 1_000;

    /**
     * An outage as it is told. It is the same as before if it has the same PEs and end, and has begun as that has, or is to begin when that is.
     *
     * @param id what it is called if it is new
     * @param peIds which PEs are out of service
     * @param from since when, seconds since the epoch; empty, or past: it is so now
     * @param to until when; empty: until it is told no longer
     * @param reason a note
     */
    public record ToldOutage(OutageId id, PeSet peIds, OptionalLong from, OptionalLong to, Optional<String> reason) {

        /** Ids of one instant count up from the right: those of pieces differ on the left, where they meet no other. */
        private ToldOutage piece(int number, PeSet some, OptionalLong until) {
            var value = id.value();
            // behind the two bits that are the same in every UUID
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
            return new Decision.Rejected(Rejection.InvalidTerms.of("outages", "must be %d at the most".formatted(MAX)));
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

    /** What of an outage is the source's alone: each PE until somebody else's outage has it. */
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

    /** Those of this source that have not ended. */
    public List<Outage> present(ClusterSchedule schedule) {
        return schedule.outages().stream()
                .filter(outage -> outage.source().equals(Optional.of(source)))
                .toList();
    }

    /**
     * The outages that were left out, in the order in which they were told.
     *
     * @param after what has become of the schedule
     * @param now when that is, seconds since the epoch
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
                : new Violation(path + "peIds", "could not go out of service when this was told; tell it again");
    }
}
