package berth.broker;

import berth.reservation.ClusterId;
import berth.scheduling.Alternatives;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Preference.Choice;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Comparator;

/** A place instead of one in the window of a request, on one of several clusters. */
public sealed interface AlternativePlace {

    /** The nearest first, the later one first among equals, then by the cluster's id. */
    Comparator<AlternativePlace> NEAREST_FIRST = Comparator.<AlternativePlace, BigDecimal>comparing(
                    place -> place.phi().abs())
            .thenComparing(AlternativePlace::phi, Comparator.reverseOrder())
            .thenComparing(place -> place.choice().cluster());

    /** How far a slot lies from the window that terms ask for; 0 in it. */
    static BigDecimal phi(RequestedTerms terms, Slot slot) {
        long deadline = terms.deadline().orElse(Long.MAX_VALUE);
        long ready = Math.min(terms.readyTime().orElse(0), deadline - 1);
        return Alternatives.phi(new Window(ready, deadline), slot);
    }

    /** What is comparable about it. */
    Choice choice();

    /** How far it lies from the window, in run times: less than 0 before it. */
    BigDecimal phi();

    /** What is asked for to get it. */
    RequestedTerms terms(RequestedTerms asked);

    default Slot slot() {
        return choice().slot();
    }

    /** On a cluster of this Berth. */
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
    }

    /** On a cluster of another Berth. */
    record There(RemoteProbe.Slot told, BigDecimal phi) implements AlternativePlace {

        @Override
        public Choice choice() {
            return told.choice();
        }

        @Override
        public RequestedTerms terms(RequestedTerms asked) {
            return asked.within(new Window(slot().start(), slot().end()));
        }
    }
}
