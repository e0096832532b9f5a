package berth.lab.simulation;

import berth.reservation.Reservation;
import berth.scheduling.Rejection;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The result of a job. */
public sealed interface JobOutcome {

    Job job();

    /**
     * The agreed alternative after the request itself was refused.
     *
     * @param start the start that goes with these terms, in seconds since the epoch; empty if they allow no other
     * @param phi the distance of its place from the requested window, in run times; negative before it
     */
    record Alternative(RequestedTerms terms, OptionalLong start, BigDecimal phi) {}

    /**
     * The job was accepted.
     *
     * @param alternative the agreed alternative; empty if the request itself was granted
     * @param places the reservation on acceptance and after each move
     * @param reservation the reservation after it ended
     */
    record Accepted(Job job, Optional<Alternative> alternative, List<Reservation> places, Reservation reservation)
            implements JobOutcome {

        public Accepted {
            places = List.copyOf(places);
        }

        /** Returns the parts that ran, in order, each with its slot and PEs. */
        public List<Part> occupied() {
            var parts = reservation.occupied();
            if (parts.isEmpty()) {
                throw new BrokenRule("Job %d never ran.".formatted(job.request().job()));
            }
            return parts;
        }

        /** Returns the end of its run. */
        public long end() {
            return occupied().getLast().slot().end();
        }

        /** Returns how often Berth moved it. */
        int moves() {
            return places.size() - 1;
        }
    }

    /** The job was refused. */
    record Refused(Job job, Rejection reason) implements JobOutcome {}
}
