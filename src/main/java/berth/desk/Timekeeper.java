package berth.desk;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What time it is, for all that acts by it. The clock of the machine is believed as long as it goes on by as much as the machine has been
 * up since: a clock that jumps ahead would end, and charge, what never ran. Where it jumps, time goes on by the uptime until the clock is right
 * again, or an operator has said that it is (ADR 36). Safe to use from any thread.
 */
public final class Timekeeper implements InstantSource {

    /** By how much the clock may be off: what is set right by so little ends nothing long before its time. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(Timekeeper.class);

    /** For so long the clock may be off by {@link #TOLERANCE} in all, however small the steps. */
    private static final Duration SPAN = Duration.ofHours(1);

    /** The clock is compared at least as often, or where it shows that much more or less than before. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Supplier<Duration> uptime;

    private volatile Look last;

    /**
     * What was seen when the clock was compared.
     *
     * @param correction what to add to what the clock shows; zero while it is believed
     * @param from what it is compared with
     */
    private record Look(Instant shown, long nanos, Duration correction, Known from) {
        Instant time() {
            return shown.plus(correction);
        }
    }

    /** A time that was believed. */
    private record Known(Instant time, Duration uptime) {}

    /**
     * Believes what the clock shows now.
     *
     * @param nanoTime nanoseconds since some point in time, which never go back
     * @param uptime time since some other point, in which the machine may have slept
     */
    public Timekeeper(InstantSource clock, LongSupplier nanoTime, Supplier<Duration> uptime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.uptime = uptime;
        this.last = believed();
    }

    private Look believed() {
        var shown = clock.instant();
        return new Look(shown, nanoTime.getAsLong(), Duration.ZERO, new Known(shown, uptime.get()));
    }

    @Override
    public Instant instant() {
        var shown = clock.instant();
        var look = last;
        boolean isNew = nanoTime.getAsLong() - look.nanos >= LOOK.toNanos()
                || Duration.between(look.shown, shown).abs().compareTo(LOOK) >= 0;
        // a correction counts for what was shown with it: the clock may have been set meanwhile
        return isNew ? look().time() : shown.plus(look.correction);
    }

    private synchronized Look look() {
        var shown = clock.instant();
        var up = uptime.get();
        var gone = up.minus(last.from.uptime);
        var jump = Duration.between(last.from.time.plus(gone), shown);
        boolean isBelieved = jump.abs().compareTo(TOLERANCE) <= 0;
        if (isBelieved != last.correction.isZero()) {
            tell(isBelieved, jump);
        }
        last = new Look(
                shown,
                nanoTime.getAsLong(),
                isBelieved ? Duration.ZERO : jump.negated(),
                isBelieved && gone.compareTo(SPAN) >= 0 ? new Known(shown, up) : last.from);
        return last;
    }

    private static void tell(boolean isBelieved, Duration jump) {
        if (isBelieved) {
            log.info("The clock is right again.");
        } else {
            log.error("The clock has jumped. {}", advice(jump));
        }
    }

    /** By how much the clock is ahead of the time that has gone by, or behind it if that is negative; empty while it is believed. */
    public Optional<Duration> jump() {
        var correction = last.correction;
        return correction.isZero() ? Optional.empty() : Optional.of(correction.negated());
    }

    /** What an operator should know of a clock that is off by so much. */
    static String advice(Duration jump) {
        return "It is %s %s the time that has gone by. Time goes on as if it had not jumped. Correct it; if it is right, start again with BERTH_TIME_ACCEPT set to the time."
                .formatted(told(jump.abs()), jump.isNegative() ? "behind" : "ahead of");
    }

    /** To the second. */
    public static String told(Duration time) {
        return Duration.ofSeconds(time.toSeconds()).toString();
    }

    /** Believes the clock as it is. */
    public synchronized void accept() {
        last = believed();
    }
}
