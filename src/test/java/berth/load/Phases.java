package berth.load;

import java.time.Duration;

/** The two phases of a run: the warm-up, whose calls are reported separately, and the measured time. */
record Phases(Duration warmUp, Duration measured) {

    /** Returns the end of the warm-up in nanoseconds from the start. */
    long warm() {
        return warmUp.toNanos();
    }

    /** Returns the end of the run in nanoseconds from the start. */
    long end() {
        return warmUp.plus(measured).toNanos();
    }
}
