package berth.lab.replay;

/** The end of a run. */
sealed interface RunEnd {

    /** Every request of the window was answered. */
    record Completed() implements RunEnd {}

    /** The service did not answer within the patience. It is unknown what it did with the last requests. */
    record WentAway(String reason) implements RunEnd {}

    /** Further requests would have been pointless; {@code message} says what to do. */
    record Stopped(int exitCode, String message) implements RunEnd {}
}
