package berth.sla;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The most that an account may have reserved at a time, on all clusters together. An empty limit means no limit. Lowering a limit cancels
 * nothing; the new limit applies to later requests.
 *
 * @param activeReservations reservations that are held, confirmed or running, and, for a request that would be collected, also requests
 *     that await a decision; with 0 the account can reserve nothing more
 * @param pes the PEs that its reservations and jobs take at any one time, at least 1; a waiting job counts at every time
 * @param peHours reserved PE-hours that lie ahead, from 1 to {@link #MAX_PE_HOURS}, including those of waiting jobs
 * @param jobs batch jobs that wait or run
 * @param pendingRequests collected requests that await a decision
 * @param holds reservations in the state HELD
 * @param maxHold the longest hold, in seconds, at least 1
 * @param fairUse how its runs may follow each other in time
 */
public record AccountLimits(
        OptionalInt activeReservations,
        OptionalInt pes,
        OptionalLong peHours,
        OptionalInt jobs,
        OptionalInt pendingRequests,
        OptionalInt holds,
        OptionalLong maxHold,
        FairUse fairUse) {

    /** The highest limit on PE-hours: more than any machine has, and small enough to count in PE-seconds without overflow. */
    public static final long MAX_PE_HOURS = 1_000_000_000_000L;

    /** No limits at all. */
    public static final AccountLimits NONE =
            new AccountLimits(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** Creates limits on reservations only. */
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

    /** Creates limits without rules of fair use. */
    public AccountLimits(
            OptionalInt activeReservations,
            OptionalInt pes,
            OptionalLong peHours,
            OptionalInt jobs,
            OptionalInt pendingRequests,
            OptionalInt holds,
            OptionalLong maxHold) {
        this(activeReservations, pes, peHours, jobs, pendingRequests, holds, maxHold, FairUse.NONE);
    }

    /** Returns the same limits with these rules of fair use. */
    public AccountLimits with(FairUse other) {
        return new AccountLimits(activeReservations, pes, peHours, jobs, pendingRequests, holds, maxHold, other);
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

    /** Whether there is any limit on what the account may reserve. */
    public boolean boundReservations() {
        return activeReservations.isPresent()
                || pes.isPresent()
                || peHours.isPresent()
                || fairUse.peHoursPerWeek().isPresent();
    }

    private static void requireNotNegative(String what, OptionalInt limit) {
        if (limit.orElse(0) < 0) {
            throw new IllegalArgumentException("The limit of %s (%s) must not be negative.".formatted(what, limit));
        }
    }
}
