package berth.desk;

import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import berth.scheduling.Event;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Rejection;
import java.util.List;
import java.util.Optional;

/** What a desk answers to a command. */
public sealed interface Answer {

    /** Done, durably; the events are what the command led to, in order. None: everything was as asked for already. */
    record Done(List<Event> events) implements Answer {

        /** The reservation that was asked for or changed, as it is now; empty if nothing has changed. */
        public Optional<Reservation> reservation() {
            return events.stream()
                    .filter(ReservationEvent.class::isInstance)
                    .map(event -> ((ReservationEvent) event).reservation())
                    .reduce((_, last) -> last);
        }

        /** The request that was collected or withdrawn, as it is now; empty if it was none. */
        public Optional<IntakeRequest> request() {
            return events.stream()
                    .filter(RequestEvent.class::isInstance)
                    .map(event -> ((RequestEvent) event).request())
                    .reduce((_, last) -> last);
        }
    }

    /** Refused, nothing has changed. */
    record Refused(Rejection reason) implements Answer {}

    /** The key was used before, for another request. */
    record KeyReused() implements Answer {}

    /** Not decided, or not recorded: nothing has changed. {@code why} ends in what to do. */
    record NotDecided(String why) implements Answer {}

    /** Whether it is recorded cannot be told at the moment; asking again under the same key tells. */
    record OutcomeUnknown(String why) implements Answer {}
}
