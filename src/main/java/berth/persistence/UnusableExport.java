package berth.persistence;

/** A file is not an export that could be read, for the reason that the message gives. */
final class UnusableExport extends RuntimeException {

    UnusableExport(String message) {
        super(message);
    }
}
