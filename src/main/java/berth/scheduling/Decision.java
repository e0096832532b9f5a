package berth.scheduling;

import berth.scheduling.Event.ReservationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What became of a command. A decision has no effect until its events are recorded. */
public sealed interface Decision {

    /**
     * The command is granted.
     *
     * @param events what happens, in order; none if everything is as it was asked for already
     * @param next the schedule after them
     */
    record Accepted(List<Event> events, ClusterSchedule next) implements Decision {

        static Accepted of(ClusterSchedule schedule, Event event) {
            return new Accepted(List.of(event), schedule.with(event));
        }

        /** What has been found for a newcomer, and what becomes of it. */
        static Accepted of(ClusterSchedule schedule, JugglingResult.Found found, ReservationEvent then) {
            var events = new ArrayList<Event>(found.moves());
            events.add(then);
            var next = events.size() == 1 ? schedule.with(then) : schedule.with(events);
            found.memo()
                    .ifPresent(
                            known -> next.remember(next.noted(known.with(then.reservation()), schedule.keptPlaces())));
            return new Accepted(List.copyOf(events), next);
        }

        /** This, unless a project that must keep to its budget would spend more than it has. */
        Decision withinBudget(ClusterSchedule before, Optional<String> project) {
            return before.funds()
                    .shortage(project, next.funds())
                    .<Decision>map(shortage -> new Rejected(new Rejection.BudgetExceeded(shortage)))
                    .orElse(this);
        }

        static Accepted unchanged(ClusterSchedule schedule) {
            return new Accepted(List.of(), schedule);
        }
    }

    /** The command is refused; the schedule stays as it was. */
    record Rejected(Rejection reason) implements Decision {}
}
