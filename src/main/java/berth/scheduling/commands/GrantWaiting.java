package berth.scheduling.commands;

import berth.intake.IntakeRequest;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.places.PlaceSearch;
import berth.scheduling.places.WaitingPass;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import org.pcollections.TreePSet;

/**
 * Grants freed room to the requests on the waiting list, in their order. Each is decided as {@link Reserve} would without moving other
 * reservations, and none is refused. The command tries only requests that may fit, whose window overlaps the freed time and which need no
 * more PEs than are free there, and only as many as a desk has time for; the rest follows in the next turns. A request without a place
 * keeps waiting. Must be decided after all other commands of an instant; never refused.
 *
 * @param pass the requests to try
 */
public record GrantWaiting(WaitingPass pass) implements Command {

    /** The most requests to try in one turn. */
    static final int MAX_TRIES = 100;

    /** The most requests to check in one turn for whether they may fit. */
    static final int MAX_SEEN = 5_000;

    /** The most looks that the searches of one turn may take, as far as known; about ten milliseconds. */
    private static final long MAX_LOOKS = 30_000;

    /** How often all requests are tried again, in seconds: prices and limits change with time and with other clusters. */
    private static final long WHOLE = 60;

    /**
     * The result of a turn.
     *
     * @param granted the granted requests
     * @param left the requests still to try
     */
    public record Turn(Decision.Accepted granted, WaitingPass left) {}

    @Override
    public Decision.Accepted decide(Basis basis) {
        return turn(basis).granted();
    }

    /** Tries as many requests as there is time for. */
    public Turn turn(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        if (schedule.waiting().isEmpty()) {
            return new Turn(Decision.Accepted.unchanged(schedule), pass.over());
        }
        var attempts = new Attempts(basis);
        var left = attempts.through(now - pass.wholeAt() >= WHOLE ? pass.whole(now) : pass);
        return new Turn(new Decision.Accepted(List.copyOf(attempts.events), attempts.next), left);
    }

    /** The attempts of one turn. */
    private final class Attempts {

        private final Basis basis;
        private final long now;
        private final List<Event> events = new ArrayList<>();
        private ClusterSchedule next;
        private TreePSet<Long> busy = TreePSet.empty();
        private int tries;
        private int seen;
        private long looks;

        Attempts(Basis basis) {
            this.basis = basis;
            this.next = basis.schedule();
            this.now = basis.now();
        }

        WaitingPass through(WaitingPass from) {
            long after = tryFreed(from.freed(), from.after());
            if (after < Long.MAX_VALUE) {
                return new WaitingPass(
                        from.freed(),
                        after,
                        from.later(),
                        from.fresh(),
                        from.busy().plusAll(busy),
                        from.wholeAt());
            }
            var fresh = tryFresh(from.fresh().plusAll(from.busy()));
            return new WaitingPass(from.later(), 0, List.of(), fresh, busy, from.wholeAt());
        }

        /**
         * Tries requests for which something has become free; returns the ticket up to which it has tried, or the highest possible number
         * if it has tried all.
         */
        private long tryFreed(List<Slot> freed, long from) {
            int room = room(freed);
            long after = from;
            var others = next.waiting().after(from, room);
            while (others.hasNext()) {
                var request = others.next();
                boolean mayFit = overlaps(request, freed);
                if (seen++ == MAX_SEEN || mayFit && !isTimeFor(request)) {
                    return after;
                }
                after = request.ticket().orElseThrow();
                if (mayFit && isGranted(request)) {
                    room = room(freed);
                    others = next.waiting().after(after, room);
                }
            }
            return Long.MAX_VALUE;
        }

        /** Tries requests that have not been tried; returns those that remain. */
        private TreePSet<Long> tryFresh(TreePSet<Long> fresh) {
            var left = fresh;
            for (long ticket : fresh) {
                var request = next.waiting().find(ticket);
                if (request.isPresent() && !isTimeFor(request.get())) {
                    return left;
                }
                request.ifPresent(this::isGranted);
                left = left.minus(ticket);
            }
            return left;
        }

        private boolean isTimeFor(IntakeRequest request) {
            looks += next.needsPlans() ? MAX_LOOKS : PlaceSearch.looks(next, request.terms(), now);
            return tries++ == 0 || tries <= MAX_TRIES && looks <= MAX_LOOKS;
        }

        private boolean isGranted(IntakeRequest request) {
            if (basis.allowances().apply(request.origin().owner()).isEmpty()) {
                busy = busy.plus(request.ticket().orElseThrow());
                return false;
            }
            var place = new Admit(request.id()).ask(request, basis.on(next.whereNobodyMoves()));
            if (!(place instanceof Decision.Accepted(var happened, var there))) {
                return false;
            }
            var granted = Admit.granted(request, new Decision.Accepted(happened, there.ruledAs(next.cluster())), now);
            events.addAll(granted.events());
            next = granted.next();
            return true;
        }

        /** Returns the most PEs that are free at any time of these slots. */
        private int room(List<Slot> slots) {
            int most = 0;
            for (var slot : slots) {
                if (slot.equals(WaitingPass.ALWAYS)) {
                    return next.cluster().pes();
                }
                if (slot.end() > now) {
                    var ahead = new Slot(Math.max(slot.start(), now), slot.end());
                    for (var step : next.profile().steps(ahead)) {
                        most = Math.max(most, step.free());
                    }
                }
            }
            return most;
        }

        private boolean overlaps(IntakeRequest request, List<Slot> slots) {
            if (request.terms().preemption().isPresent()) {
                // the search for parts also depends on gaps outside the window
                return true;
            }
            long ready = request.terms().readyTime().orElse(now);
            long deadline = request.terms().deadline().orElse(Long.MAX_VALUE);
            return slots.stream().anyMatch(slot -> slot.start() < deadline && ready < slot.end());
        }
    }
}
