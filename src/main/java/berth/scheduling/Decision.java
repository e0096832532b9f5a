package berth.scheduling;

import berth.reservation.Reservation;
import berth.scheduling.Event.ReservationEvent;
import java.util.List;

/** The result of a command. It has no effect until its events are recorded. */
public sealed interface Decision {

    /**
     * The command is accepted.
     *
     * @param events the events, in order; none if the requested state exists already
     * @param next the schedule after the events
     */
    record Accepted(List<Event> events, ClusterSchedule next) implements Decision {

        public static Accepted of(ClusterSchedule schedule, Event event) {
            return new Accepted(List.of(event), schedule.with(event));
        }

        /**
         * Returns this decision, or a rejection if it takes more for a project than before although the reservation's account may not file
         * under it, or more than the project's enforced budget has. A reservation that makes way may take another shape with more
         * PE-hours; if its project has not so many, there is no slot for the newcomer.
         *
         * @param after the reservation that is granted or changed
         */
        public Decision paid(ClusterSchedule before, Reservation after) {
            var closed = before.funds().closed(before.find(after.id()), after);
            if (closed.isPresent()) {
                return new Rejected(
                        new Rejection.FilingClosed(closed.get(), after.origin().owner()));
            }
            return before.funds()
                    .shortage(after.origin().project(), next.funds())
                    .<Decision>map(shortage -> new Rejected(new Rejection.BudgetExceeded(shortage)))
                    .orElseGet(() -> canOthersPay(before) ? this : new Rejected(new Rejection.NoSlot()));
        }

        private boolean canOthersPay(ClusterSchedule before) {
            return events.stream()
                    .filter(ReservationEvent.class::isInstance)
                    .map(event ->
                            ((ReservationEvent) event).reservation().origin().project())
                    .distinct()
                    .noneMatch(project ->
                            before.funds().shortage(project, next.funds()).isPresent());
        }

        public static Accepted unchanged(ClusterSchedule schedule) {
            return new Accepted(List.of(), schedule);
        }
    }

    /** The command is rejected; the schedule stays as it was. */
    record Rejected(Rejection reason) implements Decision {}
}
