package berth.archive;

/** Thrown for a file that is not a readable export, for the reason in the message. */
final class UnusableExport extends RuntimeException {

    UnusableExport(String message) {
        super(message);
    }
}
