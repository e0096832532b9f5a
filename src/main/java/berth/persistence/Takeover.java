package berth.persistence;

import java.sql.SQLException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Makes this process the writer of the database, if there is no reason against it. */
record Takeover(
        JdbcConnectionDetails database,
        Durability durability,
        Generation generation,
        AcknowledgedPositions acknowledged,
        Seal seal,
        Heartbeat heartbeat) {

    /**
     * Takes over.
     *
     * @throws StartRefused if the database has gone back in time or cannot be read, or if the clock may be wrong
     */
    void take() {
        try (var connection = durability.connect(database, "berth start")) {
            acknowledged.require(connection);
            heartbeat.require(connection);
            generation.take(connection);
            acknowledged.begin(connection);
            seal.sealTokens(connection);
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database cannot be read: %s".formatted(e.getMessage()),
                    "Check that PostgreSQL runs, and start again.");
        }
    }
}
