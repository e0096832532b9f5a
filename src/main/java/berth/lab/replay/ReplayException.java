package berth.lab.replay;

/** A replay that cannot continue, with the message for the user and the exit code of the command. */
final class ReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    private ReplayException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns an exception for an error that the user can correct: in an option, the token, the log or the cluster. */
    static ReplayException badInput(String message) {
        return new ReplayException(ReplayCommand.BAD_INPUT, message);
    }

    static ReplayException wentAway(String message) {
        return new ReplayException(ReplayCommand.WENT_AWAY, message);
    }

    int exitCode() {
        return exitCode;
    }
}
