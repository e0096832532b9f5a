package berth.load;

import java.time.Duration;

/** The two parts of a run, one after the other: calls that are due in the first are told apart. */
record Phases(Duration warmUp, Duration measured) {

    /** Nanoseconds from the start. */
    long warm() {
        return warmUp.toNanos();
    }

    /** Nanoseconds from the start. */
    long end() {
        return warmUp.plus(measured).toNanos();
    }
}
