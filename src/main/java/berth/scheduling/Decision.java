package berth.scheduling;

import berth.scheduling.Event.ReservationEvent;
import java.util.ArrayList;
import java.util.List;

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
        static Accepted of(ClusterSchedule schedule, Juggled.Found found, ReservationEvent then) {
            var events = new ArrayList<Event>(found.moves());
            events.add(then);
            var next = events.size() == 1 ? schedule.with(then) : schedule.with(events);
            found.memo()
                    .ifPresent(
                            known -> next.remember(next.noted(known.with(then.reservation()), schedule.keptPlaces())));
            return new Accepted(List.copyOf(events), next);
        }

        static Accepted unchanged(ClusterSchedule schedule) {
            return new Accepted(List.of(), schedule);
        }
    }

    /** The command is refused; the schedule stays as it was. */
    record Rejected(Rejection reason) implements Decision {}
}
