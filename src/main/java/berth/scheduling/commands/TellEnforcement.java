package berth.scheduling.commands;

import berth.availability.PeSet;
import berth.cluster.EnforcementRule;
import berth.reservation.Cause;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.TakenPes;
import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records the agent's report of how far reservations are in place on the machine. A reservation changes only if its report has changed; a
 * reservation without a report keeps its last one. A part counts as in place only if the machine has it with the end of the schedule, the
 * PEs that it has now and, unless it has begun, the start. A reservation that moved after the agent looked thus still has to be put in place.
 * The same holds for a part that the machine has except for users whom it does not know. PEs of the running part that jobs of others have
 * count from the report on, {@linkplain TakenPes#COUNTS_FOR for a time}, until the next report on the part.
 * Reports on reservations that are not live and on parts that do not exist are ignored. If the cluster's rule is {@link
 * EnforcementRule#NONE}, all reports are ignored except those on reservations that were accepted under a rule that requires enforcement.
 * O(log n) for each reservation in the report.
 *
 * @param parts the reports, at most {@link #MAX}
 */
public record TellEnforcement(List<ReportedPart> parts) implements Command {

    public static final int MAX = 10_000;

    /**
     * The report on a part.
     *
     * @param reservation the reservation
     * @param told the number of the part and its state
     * @param there when and on which PEs the machine has the part; empty if it does not have it
     * @param taken the PEs that jobs of others have, if the cause is {@link Cause#NODES_BUSY}
     */
    public record ReportedPart(ReservationId reservation, Report told, Optional<There> there, PeSet taken) {

        /** Creates a report on a part of which no job of others has a PE. */
        public ReportedPart(ReservationId reservation, Report told, Optional<There> there) {
            this(reservation, told, there, PeSet.NONE);
        }

        /** @throws IllegalArgumentException if PEs are taken of a part that is in place, or for another cause */
        public ReportedPart {
            if (!taken.isEmpty() && !mayBeTaken(told)) {
                throw new IllegalArgumentException("PEs %s are taken, but the report is %s.".formatted(taken, told));
            }
        }

        /** Whether a report may name PEs that jobs of others have. */
        public static boolean mayBeTaken(Report told) {
            return !told.isGiven() && told.cause().equals(Optional.of(Cause.NODES_BUSY));
        }

        private boolean is(Part planned, long now) {
            return there.isPresent() && there.get().is(planned, now);
        }
    }

    /** The time and the PEs with which the machine has a part. */
    public record There(Slot slot, PeSet peIds) {

        private boolean is(Part planned, long now) {
            long start = planned.slot().start();
            return slot.end() == planned.slot().end()
                    && (slot.start() == start || Math.max(slot.start(), start) <= now)
                    && planned.peIds().equals(Optional.of(peIds));
        }
    }

    public TellEnforcement {
        parts = List.copyOf(parts);
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (parts.size() > MAX) {
            return new Decision.Rejected(
                    Rejection.InvalidTerms.of("reservations", "must have at most %d entries".formatted(MAX)));
        }
        var events = new ArrayList<Event>();
        boolean isRecorded = schedule.cluster().policy().enforcement() != EnforcementRule.NONE;
        var told = new LinkedHashMap<ReservationId, List<ReportedPart>>();
        parts.forEach(part ->
                told.computeIfAbsent(part.reservation(), _ -> new ArrayList<>()).add(part));
        told.forEach((id, of) -> schedule.find(id)
                .filter(reservation -> reservation.state().isAgreed())
                .filter(reservation ->
                        isRecorded || reservation.enforcement().within().isPresent())
                .flatMap(reservation -> happens(reservation, of, now))
                .ifPresent(events::add));
        return new Decision.Accepted(events, schedule.with(events));
    }

    private static Optional<ReservationEvent> happens(Reservation reservation, List<ReportedPart> told, long now) {
        var before = reservation.enforcement();
        var next = new TreeMap<Integer, Report>();
        before.told().forEach(each -> next.put(each.part(), each));
        told.forEach(each -> note(each, reservation.placement().partsNow(), next, now));
        var after = List.copyOf(next.values());
        var taken = taken(reservation, told, now);
        if (after.equals(before.told()) && taken.equals(before.taken())) {
            return Optional.empty();
        }
        var enforced = reservation.enforced(after, taken, now);
        boolean isInPlace = enforced.enforcement().isInPlace(enforced.currentPart());
        return Optional.of(
                ReservationEvent.of(isInPlace ? Event.Type.ENFORCED : Event.Type.ENFORCEMENT_FAILED, enforced));
    }

    private static TakenPes taken(Reservation reservation, List<ReportedPart> told, long now) {
        var before = reservation.enforcement().taken();
        var place = reservation.placement();
        return told.stream()
                .filter(each -> place.isRunning(each.told().part()))
                .reduce((_, last) -> last)
                .map(each -> before.told(each.taken().and(place.pesNow()), now))
                .orElse(before);
    }

    private static void note(ReportedPart told, List<Part> planned, Map<Integer, Report> next, long now) {
        int part = told.told().part();
        if (part >= planned.size()) {
            return;
        }
        boolean isStale = told.told().isGiven() && !told.is(planned.get(part), now);
        boolean isNothing = told.told().state() == EnforcementState.PENDING
                && told.told().detail().isEmpty()
                && told.told().cause().isEmpty();
        if (isStale || isNothing) {
            next.remove(part);
            return;
        }
        var before = next.get(part);
        var fresh = told.told().since(now);
        next.put(part, before != null && fresh.since(before.since()).equals(before) ? before : fresh);
    }
}
