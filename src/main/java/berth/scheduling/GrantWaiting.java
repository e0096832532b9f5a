package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.sla.AccountName;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.pcollections.TreePSet;

/**
 * Grants the requests that wait for room what has become free, in their order: each as {@link Reserve} would as all others lie, so that
 * nobody is moved or refused for one. Only those are tried that may fit: whose window overlaps what has become free, and that can do
 * with the PEs that are free there; and no more of them than a desk has time for, the others in its next turns. Whoever finds none
 * waits on. To be decided after all other commands of an instant; never refused.
 *
 * @param pass which are to be tried
 * @param allowances how much an account may book; empty while others book for it
 */
public record GrantWaiting(WaitingPass pass, Function<AccountName, Optional<Allowance>> allowances) implements Command {

    /** The most that are tried in one turn. */
    static final int MAX_TRIES = 100;

    /** The most that are looked at in one turn whether they may fit. */
    static final int MAX_SEEN = 5_000;

    /** The most looks that the searches of one turn may take, as far as that is known; some ten milliseconds. */
    private static final long MAX_LOOKS = 30_000;

    /** Seconds after which all are tried again: what they may pay and book changes with time, and with what happens elsewhere. */
    private static final long WHOLE = 60;

    /**
     * What a turn comes to.
     *
     * @param granted what is granted
     * @param left who is still to be tried
     */
    public record Turn(Decision.Accepted granted, WaitingPass left) {}

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        return turn(schedule, now).granted();
    }

    /** Tries as many as there is time for. */
    public Turn turn(ClusterSchedule schedule, long now) {
        if (schedule.waiting().isEmpty()) {
            return new Turn(Decision.Accepted.unchanged(schedule), pass.over());
        }
        var attempts = new Attempts(schedule, now);
        var left = attempts.through(now - pass.wholeAt() >= WHOLE ? pass.whole(now) : pass);
        return new Turn(new Decision.Accepted(List.copyOf(attempts.events), attempts.next), left);
    }

    /** Those of one turn. */
    private final class Attempts {

        private final long now;
        private final List<Event> events = new ArrayList<>();
        private ClusterSchedule next;
        private TreePSet<Long> busy = TreePSet.empty();
        private int tries;
        private int seen;
        private long looks;

        Attempts(ClusterSchedule schedule, long now) {
            this.next = schedule;
            this.now = now;
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

        /** Tries those for whom something has become free; answers up to which, all if it is the highest number. */
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

        /** Tries those that have not been; answers who is left. */
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
            var allowance = allowances.apply(request.origin().owner());
            if (allowance.isEmpty()) {
                busy = busy.plus(request.ticket().orElseThrow());
                return false;
            }
            var place = new Admit(request.id(), allowance.get()).ask(request, next.whereNobodyMoves(), now);
            if (!(place instanceof Decision.Accepted(var happened, var there))) {
                return false;
            }
            var granted = Admit.granted(request, new Decision.Accepted(happened, there.ruledAs(next.cluster())), now);
            events.addAll(granted.events());
            next = granted.next();
            return true;
        }

        /** The most PEs that are free at any time of these. */
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
                // where the parts of a run are looked for depends on the gaps beside its window, too
                return true;
            }
            long ready = request.terms().readyTime().orElse(now);
            long deadline = request.terms().deadline().orElse(Long.MAX_VALUE);
            return slots.stream().anyMatch(slot -> slot.start() < deadline && ready < slot.end());
        }
    }
}
