package berth.booking;

import berth.engine.Answer;
import berth.engine.Keys;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.reservation.TriedCluster;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference.Choice;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.time.Slot;
import java.util.List;
import java.util.OptionalLong;

/**
 * A cluster, here or at another Berth, as seen by the search over several clusters: the Cluster Reservation Service of paper 001, section
 * 3. Reservations respect the limits of the account.
 */
sealed interface AnyCluster permits LocalCluster, RemoteCluster {

    /** The most slots to ask for, which is also the default for clients. */
    int SLOTS = 20;

    /** At one start there are at most two slots: the earliest in a gap and the one that the cluster would choose. */
    int AT_SLOTS = 2;

    ClusterId id();

    /**
     * Returns what would fit there. Changes nothing.
     *
     * @param limit the most slots to return
     */
    Probed probe(Request request, int limit);

    /** Returns the places outside the window that a client with that leeway accepts. Changes nothing. */
    Counteroffer others(Request request, Leeway leeway);

    /**
     * Returns the place at exactly that start, in the window or as far outside as the cluster offers places; none if there is no room.
     * Changes nothing.
     */
    Counteroffer at(Request request, long start);

    /** Returns what would fit instead of a refused request. Changes nothing. */
    Counteroffer remedy(Request request);

    /**
     * Reserves a slot.
     *
     * @param slot the expected slot
     * @param start the start to request; empty if the cluster chooses
     */
    Taken take(Request request, Slot slot, OptionalLong start, Keys.Turn turn);

    /** Counts a lack of room for a request that was refused in the end. */
    void countRefusal(Request request, Rejection reason);

    /** Whether the cluster's answers can get lost. */
    boolean isRemote();

    /** Returns how far ahead a part of a co-allocation must start, in seconds, so that there is time to confirm it. */
    long leadTime();

    /** Returns how long the cluster holds an unconfirmed part of a co-allocation, in seconds. */
    long holdTime();

    /** Holds a part of a co-allocation at exactly that start. May be repeated. */
    default Taken hold(Request part, long start) {
        var slot = new Slot(start, start + part.terms().duration());
        return take(part.heldAt(start, holdTime()), slot, OptionalLong.of(start), Keys.Turn.WITHOUT_KEY);
    }

    /** Confirms a held part. May be repeated. */
    Confirmation confirm(ReservationId part);

    /** Cancels a part if it is held or confirmed; returns whether it is certainly gone. May be repeated. */
    boolean giveUp(ReservationId part);

    /** Notifies a live part that another part has failed; returns whether nothing is left to do. May be repeated. */
    boolean degrade(ReservationId part);

    /**
     * A slot that the cluster offers.
     *
     * @param isChosen whether a request without a chosen start would get it
     */
    record Found(Slot slot, Money price, double availability, boolean isChosen) {

        /** Returns a place outside the window, which is requested through a window of its own. */
        static Found of(Choice choice) {
            return new Found(choice.slot(), choice.price(), choice.availability(), true);
        }

        Choice choice(ClusterId cluster) {
            return new Choice(cluster, slot, price, availability);
        }

        /** Returns the start to request for this slot; empty if the request gets it anyway. */
        OptionalLong start(Request request) {
            return request.start().isPresent() || isChosen ? request.start() : OptionalLong.of(slot.start());
        }
    }

    /** The answer to a probe. */
    sealed interface Probed {

        /** The cluster has room within the budget. */
        record Slots(List<Found> found) implements Probed {}

        /** The cluster has no room at present. */
        record NoRoom(Rejection reason) implements Probed {}

        /** The cluster could never hold the run, so waiting does not help. */
        record Never(Rejection reason) implements Probed {}

        /** The cluster did not answer. */
        record Unavailable() implements Probed {}
    }

    /** The result of an attempt to reserve. */
    sealed interface Taken {
        record Granted(BookedReservation booked) implements Taken {}

        /** The slot is not available; another one may be. */
        record Lost(TriedCluster.Obstacle why) implements Taken {}

        /** No other slot would help, or no other may be tried. */
        record Ended(Answer answer) implements Taken {}
    }

    /** The answer to a confirmation. */
    enum Confirmation {
        DONE,

        /** The part has ended and will never be confirmed. */
        GONE,

        /** The result is unknown; the confirmation must be repeated. */
        UNKNOWN
    }
}
