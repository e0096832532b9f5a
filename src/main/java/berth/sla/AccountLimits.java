package berth.sla;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The most that an account may have booked at a time, over all clusters together. Whatever is empty has no limit. A
 * limit that is lowered takes nothing away: it counts when something more is booked.
 *
 * @param activeReservations reservations that are held, confirmed or running; where a request is to be collected, also those that wait
 *     to be decided; 0: nothing more can be booked
 * @param pes PEs that its reservations and jobs take at any one instant, at least 1; a job that waits could take its PEs at any
 * @param peHours PE-hours that are booked and still lie ahead, from 1 to {@link #MAX_PE_HOURS}; those of jobs that wait, too
 * @param jobs batch jobs that wait or run
 * @param pendingRequests requests that are collected and wait to be decided
 * @param holds reservations that are held
 * @param maxHold the longest that it may hold a slot, in seconds, at least 1
 */
public record AccountLimits(
        OptionalInt activeReservations,
        OptionalInt pes,
        OptionalLong peHours,
        OptionalInt jobs,
        OptionalInt pendingRequests,
        OptionalInt holds,
        OptionalLong maxHold) {

    /** More than any machine has, and few enough that they can be counted in PE-seconds. */
    public static final long MAX_PE_HOURS = 1_000_000_000_000L;

    /** No limits at all. */
    public static final AccountLimits NONE =
            new AccountLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** Those on what is reserved. */
    public AccountLimits(OptionalInt activeReservations, OptionalInt pes, OptionalLong peHours) {
        this(
                activeReservations,
                pes,
                peHours,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty());
    }

    /** @throws IllegalArgumentException if a limit is out of its range */
    public AccountLimits {
        requireNotNegative("jobs", jobs);
        requireNotNegative("pending requests", pendingRequests);
        requireNotNegative("holds", holds);
        if (maxHold.orElse(1) < 1) {
            throw new IllegalArgumentException("The limit of a hold (%s) must be positive.".formatted(maxHold));
        }
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

    private static void requireNotNegative(String what, OptionalInt limit) {
        if (limit.orElse(0) < 0) {
            throw new IllegalArgumentException("The limit of %s (%s) must not be negative.".formatted(what, limit));
        }
    }
}
