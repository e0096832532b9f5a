package berth.experiment;

/** A directory that cannot take what studies find; the message says why and what to do. */
final class UnusableDirectory extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableDirectory(String message) {
        super(message);
    }

    UnusableDirectory(String message, Throwable cause) {
        super(message, cause);
    }
}
