package berth.scheduling.commands;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.LeftOut;
import berth.scheduling.Rejection;
import berth.scheduling.places.NearestPlaces;
import berth.sla.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Replaces the outages of one source by its latest report: outages that are no longer reported end ({@link EndOutage}), continuing ones
 * stay, and new ones are recorded ({@link RecordOutage}), whatever else claims their PEs. PEs that the cluster does not have are ignored.
 * An outage without remaining PEs or with an error is skipped; the others are taken.
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

        private RecordOutage record(String source, long now) {
            var ahead = from.isPresent() && from.getAsLong() > now ? from : OptionalLong.empty();
            return new RecordOutage(
                    id,
                    peIds.size(),
                    Optional.of(peIds),
                    ahead,
                    to,
                    reason,
                    Optional.of(source),
                    RecordOutage.Scope.PRESENT);
        }

        private ToldOutage among(PeSet all) {
            var some = peIds.and(all);
            return some.isEmpty() ? this : new ToldOutage(id, some, from, to, reason);
        }

        /** Whether it has PEs of any of these outages, which end now. */
        private boolean continues(List<Outage> ended) {
            return ended.stream()
                    .anyMatch(outage -> outage.peIds().filter(peIds::intersects).isPresent());
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
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (outages.size() > MAX) {
            return new Decision.Rejected(
                    Rejection.InvalidTerms.of("outages", "must have at most %d entries".formatted(MAX)));
        }
        var told = toldOf(schedule);
        var ended = present(schedule).stream()
                .filter(present -> told.stream().noneMatch(one -> one.is(present, now)))
                .toList();
        var events = new ArrayList<Event>();
        // PEs that stay out of service do not come back in between
        var after = recorded(told.stream().filter(one -> one.continues(ended)).toList(), schedule, now, events);
        for (var outage : ended) {
            after = happens(new EndOutage(outage.id()).decide(basis.on(after)), after, events);
        }
        var recorded = recorded(told, after, now, events);
        return NearestPlaces.in(new Decision.Accepted(events, recorded), now);
    }

    /** Returns the outages, each without the PEs that the cluster does not have, unless it has none of them. */
    private List<ToldOutage> toldOf(ClusterSchedule schedule) {
        var all = PeSet.range(0, schedule.cluster().pes());
        return outages.stream().map(told -> told.among(all)).toList();
    }

    /** Records those outages that are not present. */
    private ClusterSchedule recorded(List<ToldOutage> some, ClusterSchedule schedule, long now, List<Event> events) {
        var after = schedule;
        for (var told : some) {
            boolean isPresent = present(after).stream().anyMatch(present -> told.is(present, now));
            after = isPresent
                    ? after
                    : happens(told.record(source, now).decideBeforeNearest(after, now), after, events);
        }
        return after;
    }

    /** Adds the events of a decision, unless it is a rejection. */
    private static ClusterSchedule happens(Decision decision, ClusterSchedule schedule, List<Event> events) {
        if (decision instanceof Decision.Accepted(var happened, var next)) {
            events.addAll(happened);
            return next;
        }
        return schedule;
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
        var all = toldOf(after);
        for (int index = 0; index < all.size(); index++) {
            var told = all.get(index);
            if (taken.stream().noneMatch(present -> told.is(present, now))) {
                leftOut.add(new LeftOut(index, why("outages[%d].".formatted(index), told, after, now)));
            }
        }
        return leftOut;
    }

    private Violation why(String path, ToldOutage told, ClusterSchedule after, long now) {
        return told.record(source, now).decideBeforeNearest(after, now)
                        instanceof Decision.Rejected(Rejection.InvalidTerms(var violations))
                ? new Violation(
                        path + violations.getFirst().field(),
                        violations.getFirst().message())
                : new Violation(
                        path + "peIds", "could not go out of service when this report arrived; report them again");
    }
}
