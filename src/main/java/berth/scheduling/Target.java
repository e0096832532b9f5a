package berth.scheduling;

import berth.reservation.ReservationId;
import java.util.OptionalInt;

/**
 * The reservation to which a command refers.
 *
 * @param reservation the id
 * @param version the only version to which the command applies; empty if it applies to any
 */
public record Target(ReservationId reservation, OptionalInt version) {}
