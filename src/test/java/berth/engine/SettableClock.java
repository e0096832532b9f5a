package berth.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. */
public final class SettableClock implements InstantSource {

    private volatile Instant now;

    /** Whether it cannot be read. */
    volatile boolean fails;

    public SettableClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        if (fails) {
            throw new UncheckedIOException(new IOException("Too many open files"));
        }
        return now;
    }

    public void advance(Duration duration) {
        now = now.plus(duration);
    }

    public void set(Instant instant) {
        now = instant;
    }
}
