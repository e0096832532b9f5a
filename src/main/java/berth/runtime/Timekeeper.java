package berth.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by which everything acts. The machine's clock is trusted as long as it advances as much as the machine's uptime. A clock that
 * jumps ahead would otherwise end, and charge, runs that never took place. After a jump, time follows the uptime until the clock is right
 * again or an operator accepts it (ADR 36). In a demo, time may run faster than the clock. Thread-safe.
 */
public final class Timekeeper implements InstantSource {

    /** How far the clock may be off. A correction of this size ends nothing long before its time. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(Timekeeper.class);

    /** The period over which all deviations together may reach {@link #TOLERANCE}, however small the steps. */
    private static final Duration SPAN = Duration.ofHours(1);

    /** The longest time between two comparisons of the clock; it is also the change of the clock that causes an earlier one. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Supplier<Duration> uptime;

    private final FailureStreak unread = new FailureStreak(
            log, "The machine's uptime cannot be read; until it can, Berth measures the time that passes by itself.");

    private volatile Look last;
    private volatile Pace pace = new Pace(Instant.EPOCH, Instant.EPOCH, 1);

    /**
     * The result of a comparison of the clock.
     *
     * @param uptime the uptime at the comparison
     * @param correction the difference to add to the clock; zero while it is trusted
     * @param from the time with which it was compared
     */
    private record Look(Instant shown, long nanos, Duration uptime, Duration correction, Known from) {
        Instant time() {
            return shown.plus(correction);
        }
    }

    /**
     * The course of time.
     *
     * @param real a real time
     * @param time the time by which everything acted at that real time
     * @param speed how many times as fast time has run since
     */
    private record Pace(Instant real, Instant time, int speed) {
        Instant at(Instant other) {
            return time.plus(Duration.between(real, other).multipliedBy(speed));
        }
    }

    /** A trusted time. */
    private record Known(Instant time, Duration uptime) {}

    /**
     * Starts by trusting the clock.
     *
     * @param nanoTime nanoseconds since an arbitrary time, never going back
     * @param uptime the time since another arbitrary time, including sleep of the machine
     */
    public Timekeeper(InstantSource clock, LongSupplier nanoTime, Supplier<Duration> uptime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.uptime = uptime;
        this.last = believed();
    }

    private Look believed() {
        var shown = clock.instant();
        var up = uptime.get();
        return new Look(shown, nanoTime.getAsLong(), up, Duration.ZERO, new Known(shown, up));
    }

    @Override
    public Instant instant() {
        return pace.at(real());
    }

    /** Returns the time as it is outside of Berth, which differs from {@link #instant} only after {@link #speedUp}. */
    public InstantSource realTime() {
        return this::real;
    }

    /** Makes time run that many times as fast as the clock from now on. Waits of a fixed length, such as for a network, stay as long. */
    public synchronized void speedUp(int times) {
        var real = real();
        pace = new Pace(real, pace.at(real), times);
    }

    private Instant real() {
        var shown = clock.instant();
        var look = last;
        boolean isNew = nanoTime.getAsLong() - look.nanos >= LOOK.toNanos()
                || Duration.between(look.shown, shown).abs().compareTo(LOOK) >= 0;
        // a correction belongs to the reading of the clock for which it was computed, because the clock may have been
        // set since
        return isNew ? look().time() : shown.plus(look.correction);
    }

    private synchronized Look look() {
        var shown = clock.instant();
        long nanos = nanoTime.getAsLong();
        var up = up(nanos);
        var gone = up.minus(last.from.uptime);
        var jump = Duration.between(last.from.time.plus(gone), shown);
        boolean isBelieved = jump.abs().compareTo(TOLERANCE) <= 0;
        if (isBelieved != last.correction.isZero()) {
            tell(isBelieved, jump);
        }
        last = new Look(
                shown,
                nanos,
                up,
                isBelieved ? Duration.ZERO : jump.negated(),
                isBelieved && gone.compareTo(SPAN) >= 0 ? new Known(shown, up) : last.from);
        return last;
    }

    /** Returns the uptime; if it cannot be read, as much more than at the last comparison as the JVM's own time has advanced. */
    private Duration up(long nanos) {
        try {
            var up = uptime.get();
            unread.ended();
            return up;
        } catch (RuntimeException e) {
            unread.failed(e);
            return last.uptime.plusNanos(nanos - last.nanos);
        }
    }

    private static void tell(boolean isBelieved, Duration jump) {
        if (isBelieved) {
            log.info("The clock is right again.");
        } else {
            log.error("The clock has jumped. {}", advice(jump));
        }
    }

    /** Returns by how much the clock is ahead of the elapsed time, negative if it is behind; empty while it is trusted. */
    public Optional<Duration> jump() {
        var correction = last.correction;
        return correction.isZero() ? Optional.empty() : Optional.of(correction.negated());
    }

    /** Returns advice for an operator whose clock is off by that much. */
    public static String advice(Duration jump) {
        return "It is %s %s the elapsed time. Berth goes on as if it had not jumped. Correct the clock; if it is right, restart Berth with BERTH_TIME_ACCEPT set to the time."
                .formatted(words(jump.abs()), jump.isNegative() ? "behind" : "ahead of");
    }

    /** Returns the duration in the form of ISO 8601, to the second. */
    public static String words(Duration time) {
        return Duration.ofSeconds(time.toSeconds()).toString();
    }

    /** Trusts the clock as it is. */
    public synchronized void accept() {
        last = believed();
    }
}
