package berth.engine;

import berth.intake.IntakeRequest;
import berth.outcome.Refusal;
import berth.reservation.Reservation;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import java.util.List;
import java.util.Optional;

/** The answer to a command, which the desk of its cluster gives unless something keeps the command from it. */
public sealed interface Answer {

    /** The command is done and durable. The events are its result, in order; none if the requested state existed already. */
    record Done(List<Event> events) implements Answer {

        /** Returns the new or changed reservation in its present state; empty if nothing changed. */
        public Optional<Reservation> reservation() {
            return events.stream()
                    .filter(ReservationEvent.class::isInstance)
                    .map(event -> ((ReservationEvent) event).reservation())
                    .reduce((_, last) -> last);
        }

        /** Returns the collected or withdrawn request in its present state; empty if the command concerned none. */
        public Optional<IntakeRequest> request() {
            return events.stream()
                    .filter(RequestEvent.class::isInstance)
                    .map(event -> ((RequestEvent) event).request())
                    .reduce((_, last) -> last);
        }
    }

    /** The command was refused; nothing has changed. */
    record Refused(Rejection reason) implements Answer {}

    /** The command was refused before it reached the desk, by a rule about what is not in a schedule; nothing has changed. */
    record Declined(Refusal why) implements Answer {}

    /** The key was used before for another request. */
    record KeyReused() implements Answer {}

    /** The command was not decided or not recorded; nothing has changed. {@code why} ends with what to do. */
    record NotDecided(String why) implements Answer {}

    /** It is not known yet whether the command was recorded. The same request with the same key gets the result later. */
    record OutcomeUnknown(String why) implements Answer {}
}
