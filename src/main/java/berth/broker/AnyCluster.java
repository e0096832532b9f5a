package berth.broker;

import berth.desk.Answer;
import berth.desk.Keys;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.reservation.TriedCluster;
import berth.scheduling.Preference.Choice;
import berth.scheduling.Rejection;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.time.Slot;
import java.util.List;
import java.util.OptionalLong;

/**
 * A cluster, here or at another Berth, for whoever looks for a place on several of them: the Cluster Reservation Service of
 * paper 001, section 3. What books keeps to the limits of the account.
 */
sealed interface AnyCluster permits LocalCluster, RemoteCluster {

    /** The most slots to ask for, as many as a client gets that does not say. */
    int SLOTS = 20;

    ClusterId id();

    /**
     * What would fit there. Changes nothing.
     *
     * @param limit the most slots to tell
     */
    Probed probe(Request request, int limit);

    /** The places outside of the window that a client takes that goes so far. Changes nothing. */
    Counteroffer others(Request request, Leeway leeway);

    /** The place at exactly that start, in the window or as far outside as the cluster offers; none, if there is no room. Changes nothing. */
    Counteroffer at(Request request, long start);

    /** What would fit instead of a request that is refused. Changes nothing. */
    Counteroffer remedy(Request request);

    /**
     * Reserves a slot.
     *
     * @param slot where it is expected to lie
     * @param start which start is asked for; empty: the one that the cluster chooses
     */
    Taken take(Request request, Slot slot, OptionalLong start, Keys.Turn turn);

    /** It had no room for a request that was refused in the end. */
    void countRefusal(Request request, Rejection reason);

    /** Whether its answers may be lost on their way. */
    boolean isRemote();

    /** Seconds from now before which no part of a co-allocation is to start, so that there is time to confirm it. */
    long leadTime();

    /** Seconds for which it keeps a part of a co-allocation that is not confirmed. */
    long holdTime();

    /** Holds a part of a co-allocation at a start, and never at another one. It may be told so again. */
    default Taken hold(Request part, long start) {
        var slot = new Slot(start, start + part.terms().duration());
        return take(part.heldAt(start, holdTime()), slot, OptionalLong.of(start), Keys.Turn.WITHOUT_KEY);
    }

    /** Confirms a part that is held. It may be told so again. */
    Confirmed confirm(ReservationId part);

    /** Gives up a part that is held or confirmed, if it is; answers whether it is known to be gone. It may be told so again. */
    boolean giveUp(ReservationId part);

    /** Tells a part, if it is live, that another has failed; answers whether nothing is left to be told. It may be told so again. */
    boolean degrade(ReservationId part);

    /**
     * A slot that it told of.
     *
     * @param isChosen whether a request without a chosen start would get it
     */
    record Found(Slot slot, Money price, double availability, boolean isChosen) {

        /** A place outside of the window, which is asked for by a window of its own. */
        static Found of(Choice choice) {
            return new Found(choice.slot(), choice.price(), choice.availability(), true);
        }

        Choice choice(ClusterId cluster) {
            return new Choice(cluster, slot, price, availability);
        }

        /** Which start a request asks for that wants this slot; empty: it gets it without saying so. */
        OptionalLong start(Request request) {
            return request.start().isPresent() || isChosen ? request.start() : OptionalLong.of(slot.start());
        }
    }

    /** What it said to a probe. */
    sealed interface Probed {

        /** There is room within the budget. */
        record Slots(List<Found> found) implements Probed {}

        /** Not at the moment. */
        record NoRoom(Rejection reason) implements Probed {}

        /** It could never hold this: waiting does not help. */
        record Never(Rejection reason) implements Probed {}

        /** It could not be asked. */
        record Unavailable() implements Probed {}
    }

    /** What became of an attempt. */
    sealed interface Taken {
        record Granted(BookedReservation booked) implements Taken {}

        /** Not there; another slot may do. */
        record Lost(TriedCluster.Obstacle why) implements Taken {}

        /** No other slot would do either, or must be tried. */
        record Ended(Answer answer) implements Taken {}
    }

    /** What it says to a confirmation. */
    sealed interface Confirmed {
        record Done() implements Confirmed {}

        /** It has ended, and will never be confirmed. */
        record Gone() implements Confirmed {}

        /** It must be asked again. */
        record Unknown() implements Confirmed {}
    }
}
