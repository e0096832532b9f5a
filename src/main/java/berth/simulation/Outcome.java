package berth.simulation;

import berth.reservation.Reservation;
import berth.scheduling.Rejection;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** What became of a job. */
public sealed interface Outcome {

    Job job();

    /**
     * What was agreed where the request itself was refused.
     *
     * @param phi how far its window lies from the one asked for, in run times; negative before it
     */
    record Alternative(RequestedTerms terms, BigDecimal phi) {}

    /**
     * It was accepted.
     *
     * @param alternative what was agreed instead of what was asked for; empty: what was asked for
     * @param places the reservation as it was when it was accepted, and after each move
     * @param reservation as it was when it had ended
     */
    record Accepted(Job job, Optional<Alternative> alternative, List<Reservation> places, Reservation reservation)
            implements Outcome {

        public Accepted {
            places = List.copyOf(places);
        }

        /** What of it took which PEs when, in order. */
        public List<Part> occupied() {
            var parts = reservation.occupied();
            if (parts.isEmpty()) {
                throw new BrokenRule("Job %d never ran.".formatted(job.request().job()));
            }
            return parts;
        }

        /** When its run ended. */
        public long end() {
            return occupied().getLast().slot().end();
        }

        /** How often it was moved. */
        int moves() {
            return places.size() - 1;
        }
    }

    /** It was refused. */
    record Refused(Job job, Rejection reason) implements Outcome {}
}
