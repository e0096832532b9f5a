package berth.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Makes this process the writer of the database, if there is no reason against it. */
public record Takeover(
        JdbcConnectionDetails database,
        Durability durability,
        Generation generation,
        AcknowledgedPositions acknowledged,
        ClockRecord clockRecord) {

    private void requirePossible(Connection connection) throws SQLException {
        acknowledged.require(connection);
        clockRecord.require(connection);
    }

    /** Returns why {@link #take} would refuse now, and what to do about it; empty if it would not. */
    public Optional<String> obstacle(Connection connection) throws SQLException {
        try {
            requirePossible(connection);
            return Optional.empty();
        } catch (StartRefused e) {
            return Optional.of("%s %s".formatted(e.getMessage(), e.remedy()));
        }
    }

    /**
     * Takes over.
     *
     * @throws StartRefused if the database has gone back in time or cannot be read, or if the clock may be wrong
     */
    public void take() {
        try (var connection = durability.connect(database, "berth start")) {
            requirePossible(connection);
            generation.take(connection);
            acknowledged.begin(connection);
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database cannot be read: %s".formatted(e.getMessage()),
                    "Check that PostgreSQL runs, and start again.");
        }
    }
}
