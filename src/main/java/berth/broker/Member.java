package berth.broker;

import berth.desk.Answer;
import berth.desk.Keys;
import berth.reservation.Tried;
import berth.scheduling.Preference.Choice;
import berth.scheduling.Rejection;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.time.Slot;
import java.util.List;

/** A cluster as the broker sees it: the Cluster Reservation Service of paper 001, section 3. */
sealed interface Member permits LocalCluster, RemoteCluster {

    String id();

    /** What would fit there. Changes nothing. */
    Probed probe(Request request);

    /** The places outside of the window that a client takes that goes so far. Changes nothing. */
    Instead others(Request request, Leeway leeway);

    /** What would fit instead of a request that is refused. Changes nothing. */
    Instead remedy(Request request);

    /** Reserves a slot that it told of. */
    Taken take(Request request, Found slot, Keys.Turn turn);

    /** It had no room for a request that was refused in the end. */
    void countRefusal(Request request, Rejection reason);

    /**
     * A slot that it told of.
     *
     * @param isChosen whether a request without a chosen start would get it
     */
    record Found(Slot slot, Money price, double availability, boolean isChosen) {

        long start() {
            return slot.start();
        }

        /** A place outside of the window, which is asked for by a window of its own. */
        static Found of(Choice choice) {
            return new Found(choice.slot(), choice.price(), choice.availability(), true);
        }

        Choice choice(String cluster) {
            return new Choice(cluster, slot, price, availability);
        }
    }

    /** What it said to a probe. */
    sealed interface Probed {
        record Slots(List<Found> found) implements Probed {}

        /** Not at the moment. */
        record NoRoom(Rejection reason) implements Probed {}

        /** It is no candidate: waiting does not help. */
        record Never(Rejection reason) implements Probed {}

        /** It could not be asked. */
        record Unavailable() implements Probed {}
    }

    /** What became of an attempt. */
    sealed interface Taken {
        record Granted(Booked booked) implements Taken {}

        /** Not there; another slot may do. */
        record Lost(Tried.Obstacle why) implements Taken {}

        /** No other slot would do either, or must be tried. */
        record Ended(Answer answer) implements Taken {}
    }
}
