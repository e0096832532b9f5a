package berth.desk;

/** What is recorded cannot be reached at the moment; whether anything was changed is not known. */
public final class StorageUnavailable extends RuntimeException {
    public StorageUnavailable(Throwable cause) {
        super("The database does not answer.", cause);
    }
}
