package berth.sla;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The most that an account may have booked at a time, over all clusters together. Whatever is empty has no limit. A
 * limit that is lowered takes nothing away: it counts when something more is booked.
 *
 * @param activeReservations reservations that are held, confirmed or running; 0: nothing more can be booked
 * @param pes PEs that its reservations take at any one instant, at least 1
 * @param peHours PE-hours that are booked and still lie ahead, from 1 to {@link #MAX_PE_HOURS}
 */
public record AccountLimits(OptionalInt activeReservations, OptionalInt pes, OptionalLong peHours) {

    /** More than any machine has, and few enough that they can be counted in PE-seconds. */
    public static final long MAX_PE_HOURS = 1_000_000_000_000L;

    /** No limits at all. */
    public static final AccountLimits NONE =
            new AccountLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** @throws IllegalArgumentException if a limit is out of its range */
    public AccountLimits {
        if (activeReservations.orElse(0) < 0) {
            throw new IllegalArgumentException(
                    "The limit of active reservations (%s) must not be negative.".formatted(activeReservations));
        }
        if (pes.orElse(1) < 1) {
            throw new IllegalArgumentException("The limit of PEs (%s) must be positive.".formatted(pes));
        }
        if (peHours.orElse(1) < 1 || peHours.orElse(1) > MAX_PE_HOURS) {
            throw new IllegalArgumentException(
                    "The limit of PE-hours (%s) must lie between 1 and %d.".formatted(peHours, MAX_PE_HOURS));
        }
    }
}
