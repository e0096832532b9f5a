package berth.lab.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Prints a line on the progress of a program from time to time, for a log or a pipe. */
final class ProgressLines implements ProgressDisplay {
    private static final long BETWEEN = Duration.ofSeconds(15).toNanos();

    private final String program;
    private final int steps;
    private final PrintStream out;
    private final LongSupplier clock;
    private final long began;
    private long lastLine;
    private int done;

    /** @param clock returns nanoseconds from an arbitrary origin */
    ProgressLines(String program, int steps, PrintStream out, LongSupplier clock) {
        this.program = program;
        this.steps = steps;
        this.out = out;
        this.clock = clock;
        this.began = clock.getAsLong();
        this.lastLine = began;
    }

    @Override
    public synchronized void step() {
        done++;
        long now = clock.getAsLong();
        if (now - lastLine >= BETWEEN && done < steps) {
            lastLine = now;
            var gone = Duration.ofNanos(now - began);
            var left = Duration.ofNanos((long) ((double) (now - began) / done * (steps - done)));
            out.printf("%s: %d of %d runs in %s, about %s left%n", program, done, steps, text(gone), text(left));
        }
    }

    /** Returns a duration as in {@code 3 min 20 s}. */
    private static String text(Duration time) {
        return time.toMinutes() == 0
                ? "%d s".formatted(time.toSeconds())
                : "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart());
    }

    @Override
    public void close() {}
}
