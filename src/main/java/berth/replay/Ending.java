package berth.replay;

/** How a run ended. */
sealed interface Ending {

    /** Every request of the window was answered. */
    record Completed() implements Ending {}

    /** The service gave no answer for as long as patience lasted; what it did with the last requests is unknown. */
    record WentAway(String reason) implements Ending {}

    /** Going on would be of no use; {@code message} says what to do. */
    record Stopped(int exitCode, String message) implements Ending {}
}
