package berth.database;

import java.sql.Connection;
import java.sql.SQLException;

/** A check that a transaction must pass before it commits. */
public interface Fence {

    /** No check, for a database that is opened for a command: the lock alone keeps others out. */
    Fence NONE = _ -> {};

    /**
     * Checks that this process may write, with effect until the end of the transaction.
     *
     * @throws berth.runtime.StorageUnavailable if another process has taken over
     */
    void require(Connection connection) throws SQLException;

    /** Whether this process is the writer, as far as it knows. */
    default boolean isOpen() {
        return true;
    }
}
