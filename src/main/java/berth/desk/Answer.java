package berth.desk;

import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.scheduling.Rejection;
import java.util.List;

/** What a desk answers to a command. */
public sealed interface Answer {

    /** Done, durably; the events are what the command led to, in order. */
    record Done(List<Event> events) implements Answer {

        /** The reservation that was asked for or changed, as it is now. */
        public Reservation reservation() {
            return events.getLast().reservation();
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
