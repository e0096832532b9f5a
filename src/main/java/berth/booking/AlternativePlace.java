package berth.booking;

import berth.peers.RemoteProbe;
import berth.reservation.ClusterId;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Alternatives.Alternative;
import berth.scheduling.places.Preference.Choice;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.OptionalLong;

/** A place outside the window of a request, on one of several clusters. */
public sealed interface AlternativePlace {

    /** Orders by distance from the window; among equals the later place comes first, then the cluster's id decides. */
    Comparator<AlternativePlace> NEAREST_FIRST = Comparator.<AlternativePlace, BigDecimal>comparing(
                    place -> place.phi().abs())
            .thenComparing(AlternativePlace::phi, Comparator.reverseOrder())
            .thenComparing(place -> place.choice().cluster());

    /** Returns the distance of a slot from the window of the terms; 0 if it lies inside. */
    static BigDecimal phi(RequestedTerms terms, Slot slot) {
        long deadline = terms.deadline().orElse(Long.MAX_VALUE);
        long ready = Math.min(terms.readyTime().orElse(0), deadline - 1);
        return Alternatives.phi(new Window(ready, deadline), slot);
    }

    /** Returns the measures by which clients compare slots. */
    Choice choice();

    /** Returns the distance from the window in run times; negative before it. */
    BigDecimal phi();

    /** Returns the terms to request in order to get the place. */
    RequestedTerms terms(RequestedTerms asked);

    /** Returns the start to request with these terms, in seconds since the epoch; empty if they allow no other. */
    OptionalLong start();

    default Slot slot() {
        return choice().slot();
    }

    /** A place on a cluster of this Berth. */
    record Here(ClusterId cluster, Alternative alternative) implements AlternativePlace {

        @Override
        public Choice choice() {
            return Choice.of(cluster, alternative.offer());
        }

        @Override
        public BigDecimal phi() {
            return alternative.phi();
        }

        @Override
        public RequestedTerms terms(RequestedTerms asked) {
            return alternative.terms();
        }

        @Override
        public OptionalLong start() {
            return alternative.start();
        }
    }

    /** A place on a cluster of another Berth. */
    record There(RemoteProbe.Slot told, BigDecimal phi) implements AlternativePlace {

        @Override
        public Choice choice() {
            return told.choice();
        }

        /** Says explicitly when the place is final: a chosen start would make it final at once. */
        @Override
        public RequestedTerms terms(RequestedTerms asked) {
            return (hasSlack() ? asked.fixing(asked.fixing().spelt()) : asked)
                    .within(new Window(slot().start(), told.deadline()));
        }

        @Override
        public OptionalLong start() {
            return hasSlack() ? OptionalLong.of(slot().start()) : OptionalLong.empty();
        }

        private boolean hasSlack() {
            return told.deadline() > slot().end();
        }
    }
}
