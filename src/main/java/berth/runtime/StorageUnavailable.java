package berth.runtime;

/** The database cannot be reached. It is not known whether anything was changed. */
public final class StorageUnavailable extends RuntimeException {
    public StorageUnavailable(Throwable cause) {
        super("The database does not answer.", cause);
    }
}
