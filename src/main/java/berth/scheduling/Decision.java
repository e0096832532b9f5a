package berth.scheduling;

import berth.scheduling.Event.ReservationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The result of a command. It has no effect until its events are recorded. */
public sealed interface Decision {

    /**
     * The command is accepted.
     *
     * @param events the events, in order; none if the requested state exists already
     * @param next the schedule after the events
     */
    record Accepted(List<Event> events, ClusterSchedule next) implements Decision {

        static Accepted of(ClusterSchedule schedule, Event event) {
            return new Accepted(List.of(event), schedule.with(event));
        }

        /** Returns the acceptance of a newcomer that found a place, with the moves that make room for it. */
        static Accepted of(ClusterSchedule schedule, JugglingResult.Found found, ReservationEvent then) {
            var events = new ArrayList<Event>(found.moves());
            events.add(then);
            var next = events.size() == 1 ? schedule.with(then) : schedule.with(events);
            found.memo()
                    .ifPresent(
                            known -> next.remember(next.noted(known.with(then.reservation()), schedule.keptPlaces())));
            return new Accepted(List.copyOf(events), next);
        }

        /** Returns this decision, or a rejection if a project with an enforced budget would spend more than it has. */
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

    /** The command is rejected; the schedule stays as it was. */
    record Rejected(Rejection reason) implements Decision {}
}
