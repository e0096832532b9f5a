package berth.scheduling;

import berth.reservation.ReservationId;
import java.util.OptionalInt;

/**
 * The reservation that a command is meant for.
 *
 * @param reservation its id
 * @param version the only version that the command is meant for; empty: whichever it is
 */
public record Target(ReservationId reservation, OptionalInt version) {}
