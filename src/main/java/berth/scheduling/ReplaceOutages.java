package berth.scheduling;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whoever watches the PEs of a cluster tells which are out of service; that takes the place of what the same source told before. An outage
 * that is told again goes on, one that is told no longer ends ({@link EndOutage}), and a new one is recorded ({@link RecordOutage}), in
 * this order. One that cannot be as it is told, such as one of PEs that another outage has, is left out, and the others are taken.
 *
 * @param source who tells; outages of other sources, and those that an operator recorded, stay as they are
 * @param outages all that there are, at most {@link #MOST}
 */
public record ReplaceOutages(String source, List<ToldOutage> outages) implements Command {

    public static final int MOST = 1_000;

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

    /**
     * An outage that is left out.
     *
     * @param index where it stands among those that were told, from 0
     * @param why with the field, {@code outages[} index {@code ]} before it
     */
    public record LeftOut(int index, Violation why) {}

    public ReplaceOutages {
        outages = List.copyOf(outages);
    }

    @Override
    public Decision decide(ClusterSchedule schedule, long now) {
        if (outages.size() > MOST) {
            return new Decision.Rejected(
                    Rejection.InvalidTerms.of("outages", "must be %d at the most".formatted(MOST)));
        }
        var commands = new ArrayList<Command>();
        var before = present(schedule);
        before.stream()
                .filter(present -> outages.stream().noneMatch(told -> told.is(present, now)))
                .forEach(present -> commands.add(new EndOutage(present.id())));
        outages.stream()
                .filter(told -> before.stream().noneMatch(present -> told.is(present, now)))
                .forEach(told -> commands.add(told.record(source, now)));
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
            if (taken.stream().noneMatch(present -> told.is(present, now))) {
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
