package berth.simulation;

import berth.reservation.Reservation;
import berth.scheduling.Rejection;

/** What became of a job. */
public sealed interface Outcome {

    Job job();

    /**
     * It was accepted.
     *
     * @param reservation as it was when it had ended
     */
    record Accepted(Job job, Reservation reservation) implements Outcome {}

    /** It was refused. */
    record Refused(Job job, Rejection reason) implements Outcome {}
}
