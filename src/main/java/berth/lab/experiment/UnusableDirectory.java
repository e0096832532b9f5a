package berth.lab.experiment;

/** The error for a directory that cannot take findings; the message says why and what to do. */
final class UnusableDirectory extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableDirectory(String message) {
        super(message);
    }

    UnusableDirectory(String message, Throwable cause) {
        super(message, cause);
    }
}
