package berth.simulation;

import berth.reservation.Reservation;
import berth.scheduling.Rejection;
import berth.sla.Part;
import java.util.List;

/** What became of a job. */
public sealed interface Outcome {

    Job job();

    /**
     * It was accepted.
     *
     * @param reservation as it was when it had ended
     */
    record Accepted(Job job, Reservation reservation) implements Outcome {

        /** What of it took which PEs when, in order. */
        public List<Part> occupied() {
            var parts = reservation.occupied();
            if (parts.isEmpty()) {
                throw new BrokenRule("Job %d never ran.".formatted(job.request().job()));
            }
            return parts;
        }

        /** When its run ended. */
        long end() {
            return occupied().getLast().slot().end();
        }
    }

    /** It was refused. */
    record Refused(Job job, Rejection reason) implements Outcome {}
}
