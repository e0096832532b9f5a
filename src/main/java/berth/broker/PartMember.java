package berth.broker;

import berth.desk.Answer;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Preference;
import berth.scheduling.Rejection;
import berth.sla.AccountLimits;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A cluster as a co-allocation sees it. Everything it is told may be told to it again. */
sealed interface PartMember permits LocalPart, RemotePart {

    /** Finds clusters that are known. */
    @FunctionalInterface
    interface Directory {
        PartMember of(String cluster);
    }

    /** One part of a co-allocation. */
    record PartRequest(ReservationId id, Origin origin, AccountLimits limits, RequestedTerms terms) {

        /** The same part on other terms. */
        PartRequest on(RequestedTerms others) {
            return new PartRequest(id, origin, limits, others);
        }

        /** The same part by itself. */
        Request alone() {
            return new Request(
                    id,
                    origin,
                    limits,
                    terms,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    Preference.EARLIEST_START,
                    Optional.empty(),
                    Set.of());
        }
    }

    /** Whether its answers may be lost on their way. */
    boolean isRemote();

    /** Seconds from now before which no part is to start, so that there is time to confirm it. */
    long leadTime();

    /** The places outside of its window that a part by itself takes, where its client goes so far. */
    Instead others(PartRequest part, Leeway leeway);

    /** The place of a part at exactly that start, in its window or as far outside as the cluster offers; none, if there is no room. */
    Instead at(PartRequest part, long start);

    /** The earliest start of a part, not before a time. */
    Asked earliest(PartRequest part, OptionalLong from);

    /** Holds a part at a start, and never at another one. */
    Held hold(PartRequest part, long start);

    /** Confirms what is held. */
    Confirmed confirm(ReservationId part, long start);

    /** Gives up what is held or confirmed, if it is; answers whether it is known to be gone. */
    boolean giveUp(ReservationId part);

    /** Tells a part, if it is live, that another has failed; answers whether nothing is left to be told. */
    boolean degrade(ReservationId part);

    /** What it says to a probe. */
    sealed interface Asked {
        record At(Slot slot) implements Asked {}

        record Nothing() implements Asked {}

        record Never(Rejection reason) implements Asked {}

        record Unavailable() implements Asked {}
    }

    /** What it says to a hold. */
    sealed interface Held {
        record Granted() implements Held {}

        /** Not there; another start may do. */
        record Lost() implements Held {}

        /** No other start would do either, or must be tried. */
        record Ended(Answer answer) implements Held {}
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
