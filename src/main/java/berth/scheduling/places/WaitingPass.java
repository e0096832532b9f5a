package berth.scheduling.places;

import berth.intake.IntakeRequest;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Moves;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import org.pcollections.TreePSet;

/**
 * Which waiting requests are still to be tried. A pass goes through the waiting list in order and tries the requests for which something
 * has become free. Time that becomes free meanwhile is left for the next pass. A pass is not recorded: after a restart all requests are
 * tried.
 *
 * @param freed the time that has become free; empty if no pass is under way
 * @param after the ticket that the pass has reached
 * @param later the time that has become free since the pass began
 * @param fresh the tickets of requests that have not been tried yet
 * @param busy the tickets that were skipped because another decision for their accounts was in progress
 * @param wholeAt when a pass over all requests last began, in seconds since the epoch
 */
public record WaitingPass(
        List<Slot> freed, long after, List<Slot> later, TreePSet<Long> fresh, TreePSet<Long> busy, long wholeAt) {

    /** All time. */
    public static final Slot ALWAYS = new Slot(Long.MIN_VALUE, Long.MAX_VALUE);

    /** The most separate intervals to keep. */
    private static final int MAX_SLOTS = 64;

    /** The beginning: all requests are still to be tried. */
    public static final WaitingPass BEGINNING =
            new WaitingPass(List.of(), 0, List.of(), TreePSet.empty(), TreePSet.empty(), Long.MIN_VALUE / 2);

    /** Whether there is work to do at once. */
    public boolean isUnderWay() {
        return !(freed.isEmpty() && fresh.isEmpty());
    }

    /** Whether some requests wait only for other decisions for their accounts. */
    public boolean waitsForOthers() {
        return !busy.isEmpty();
    }

    /**
     * Returns the pass after some events.
     *
     * @param before the schedule before the events
     * @param schedule the schedule after them
     */
    public WaitingPass after(ClusterSchedule before, ClusterSchedule schedule, List<Event> events) {
        if (schedule.waiting().isEmpty()) {
            return over();
        }
        var also = fresh;
        for (var event : events) {
            if (event instanceof RequestEvent(var _, var request, var _)
                    && request.state() == IntakeRequest.State.WAITING) {
                also = also.plus(request.ticket().orElseThrow());
            }
        }
        return with(also).and(freed(before, schedule, events));
    }

    /** Returns the pass of an empty waiting list. */
    public WaitingPass over() {
        return new WaitingPass(List.of(), 0, List.of(), TreePSet.empty(), TreePSet.empty(), wholeAt);
    }

    /** Returns the same pass, in which all requests are to be tried as of {@code now}, in seconds since the epoch. */
    public WaitingPass whole(long now) {
        return new WaitingPass(freed, after, later, fresh, busy, now).and(List.of(ALWAYS));
    }

    private WaitingPass with(TreePSet<Long> all) {
        return new WaitingPass(freed, after, later, all, busy, wholeAt);
    }

    private WaitingPass and(List<Slot> more) {
        if (more.isEmpty()) {
            return this;
        }
        return freed.isEmpty()
                ? new WaitingPass(few(more), 0, later, fresh, busy, wholeAt)
                : new WaitingPass(freed, after, few(joined(later, more)), fresh, busy, wholeAt);
    }

    private static List<Slot> joined(List<Slot> some, List<Slot> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static List<Slot> few(List<Slot> slots) {
        boolean isSimple = slots.size() <= MAX_SLOTS && !slots.contains(ALWAYS);
        if (isSimple) {
            return List.copyOf(slots);
        }
        long start = slots.stream().mapToLong(Slot::start).min().orElseThrow();
        long end = slots.stream().mapToLong(Slot::end).max().orElseThrow();
        return List.of(new Slot(start, end));
    }

    /** Returns the time in which something may have become free because of the events. */
    private static List<Slot> freed(ClusterSchedule before, ClusterSchedule schedule, List<Event> events) {
        var slots = new ArrayList<Slot>();
        boolean asksForAvailability = before.asksForAvailability() || schedule.asksForAvailability();
        for (var event : events) {
            switch (event) {
                case ReservationEvent happened -> add(happened, before, slots);
                case OutageEvent(var type, var outage, var _) -> {
                    if (type == Event.Type.OUTAGE_ENDED) {
                        before.find(outage.id()).ifPresent(was -> slots.add(was.slot()));
                    }
                }
                case ClusterEvent _, JobsEvent _ -> slots.add(ALWAYS);
                case JobEvent(var type, var _, var _) -> {
                    // more jobs, or another order, can also make a slot available enough
                    if (asksForAvailability || type != Event.Type.JOB_QUEUED && type != Event.Type.JOB_STARTED) {
                        slots.add(ALWAYS);
                    }
                }
                case DelayEvent _, RequestEvent _, BudgetEvent _ -> {}
            }
        }
        if (events.isEmpty()) {
            // kept places shift as time passes, which is no reason for a turn
            return slots;
        }
        var kept = schedule.keptPlaces();
        before.keptPlaces().stream().filter(part -> !kept.contains(part)).forEach(part -> slots.add(part.slot()));
        if (!slots.isEmpty() && asksForAvailability) {
            // any freed PEs let jobs begin earlier, so that they may be able to do without a slot elsewhere
            slots.add(ALWAYS);
        }
        return slots;
    }

    private static void add(ReservationEvent happened, ClusterSchedule before, List<Slot> slots) {
        var after = happened.reservation();
        var was = before.find(after.id());
        boolean isAsItWas = after.state().isLive()
                && was.filter(one -> Moves.takeTheSame(one, after)).isPresent();
        boolean hasBegun = switch (happened.type()) {
            case STARTED, PAUSED, RESUMED -> true;
            default -> false;
        };
        if (before.cluster().policy().limits().boundsAdvance()) {
            slots.add(ALWAYS);
        } else if (!isAsItWas && !hasBegun) {
            was.ifPresent(one -> slots.add(one.slot()));
        }
    }
}
