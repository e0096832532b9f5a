package berth.sla;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How the runs of an account may follow each other in time, on all clusters together. An empty limit means no limit. Batch jobs do not
 * count.
 *
 * @param peHoursPerWeek the PE-hours of its runs, past and future, in any seven days, from 1 to {@link AccountLimits#MAX_PE_HOURS}
 * @param coolDown the pause after its long runs
 * @param startsAhead reservations that have not begun yet, and requests that wait
 */
public record FairUse(OptionalLong peHoursPerWeek, Optional<CoolDown> coolDown, OptionalInt startsAhead) {

    /** The length of the window in which PE-hours are counted and of the longest pause, in seconds. */
    public static final long WEEK = 7 * 86_400L;

    /**
     * The most ended runs of a week that are counted. An account with more of them can book nothing, because each decision would take long.
     */
    public static final int MAX_RUNS = 2_000;

    /** No limits at all. */
    public static final FairUse NONE = new FairUse(OptionalLong.empty(), Optional.empty(), OptionalInt.empty());

    /**
     * The pause after a long run: after it has begun, no other run of the account begins before the pause is over.
     *
     * @param duration the pause from the end of the run, in seconds, from 1 to {@link FairUse#WEEK}
     * @param after the length from which a run counts as long, in seconds; 0 if every run does
     */
    public record CoolDown(long duration, long after) {

        /** @throws IllegalArgumentException if a figure is out of its range */
        public CoolDown {
            if (duration < 1 || duration > WEEK || after < 0) {
                throw new IllegalArgumentException(
                        "A pause of %d s after runs of %d s is out of range.".formatted(duration, after));
            }
        }
    }

    /** @throws IllegalArgumentException if a limit is out of its range */
    public FairUse {
        if (peHoursPerWeek.orElse(1) < 1 || peHoursPerWeek.orElse(1) > AccountLimits.MAX_PE_HOURS) {
            throw new IllegalArgumentException("The limit of PE-hours in a week (%s) must lie between 1 and %d."
                    .formatted(peHoursPerWeek, AccountLimits.MAX_PE_HOURS));
        }
        if (startsAhead.orElse(0) < 0) {
            throw new IllegalArgumentException(
                    "The limit of reservations that have not begun (%s) must not be negative.".formatted(startsAhead));
        }
    }

    /** Whether runs that have ended count. */
    public boolean countsThePast() {
        return peHoursPerWeek.isPresent() || coolDown.isPresent();
    }
}
