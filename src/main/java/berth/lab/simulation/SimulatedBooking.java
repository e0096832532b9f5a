package berth.lab.simulation;

import berth.lab.workload.ReservationRequest;
import berth.reservation.Reservation;
import java.util.Optional;

/**
 * The result of a request for a reservation on a cluster that also runs batch jobs.
 *
 * @param backlog the work at the time of the request, in seconds of the whole cluster: the remaining estimates of running and waiting jobs
 *     plus the remaining parts of all reservations (L_r of paper 001, section 5.2)
 * @param granted the reservation after it ended; empty if it was refused
 */
public record SimulatedBooking(ReservationRequest request, double backlog, Optional<Reservation> granted) {}
