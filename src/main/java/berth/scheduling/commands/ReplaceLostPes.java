package berth.scheduling.commands;

import berth.scheduling.Basis;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.places.Displacement;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives reservations that lack PEs others that have become free, for example because another reservation has ended. The order is that of
 * {@link Displacement}. A run gets only PEs that are free until its running part ends; no reservation moves and no job gives way for it.
 * Must be decided before {@link GrantWaiting}; never refused. A second decision at the same time finds nothing more to give.
 *
 * <p>Costs O(log n) for each reservation that lacks PEs, plus the availability.
 */
public record ReplaceLostPes() implements Command {

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var run : Displacement.degraded(schedule)) {
            var happened = Displacement.gaining(next, run, now);
            events.addAll(happened);
            next = happened.isEmpty() ? next : next.with(happened);
        }
        return new Decision.Accepted(List.copyOf(events), next);
    }
}
