package berth.simulation;

import berth.reservation.Reservation;
import berth.workload.ReservationRequest;
import java.util.Optional;

/**
 * What became of a request for a reservation beside batch jobs.
 *
 * @param backlog how much there was to do when it was made, in seconds of the whole cluster: what running and waiting jobs
 *     have left by their estimates, and what is left of all reservations (L_r of paper 001, section 5.2)
 * @param granted the reservation as it was when it had ended; empty: it was refused
 */
public record Booking(ReservationRequest request, double backlog, Optional<Reservation> granted) {}
