package berth.replay;

/** A replay that cannot go on, with the message for the user and the exit code of the command. */
final class ReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    private ReplayException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The user can put it right: an option, the token, the trace, the cluster. */
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
