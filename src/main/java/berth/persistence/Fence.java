package berth.persistence;

import java.sql.Connection;
import java.sql.SQLException;

/** What a transaction must pass before it commits. */
interface Fence {

    /** Of a database that is opened for a command: the lock alone keeps others out. */
    Fence NONE = _ -> {};

    /**
     * Sees to it, up to the end of the transaction, that the process that writes may.
     *
     * @throws berth.desk.StorageUnavailable if another one has taken over
     */
    void require(Connection connection) throws SQLException;

    /** Whether the process that writes is this one, as far as it knows. */
    default boolean isOpen() {
        return true;
    }
}
