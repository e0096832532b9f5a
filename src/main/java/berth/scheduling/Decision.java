package berth.scheduling;

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

        static Accepted unchanged(ClusterSchedule schedule) {
            return new Accepted(List.of(), schedule);
        }
    }

    /** The command is refused; the schedule stays as it was. */
    record Rejected(Rejection reason) implements Decision {}
}
