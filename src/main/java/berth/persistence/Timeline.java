package berth.persistence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The line of its log that a server writes. A standby that is promoted begins the next one; a server that is still on an earlier one
 * has not heard of that.
 *
 * @param system the database's own number, which its standbys share
 * @param number counts from 1
 */
record Timeline(String system, long number) {

    private static final Logger log = LoggerFactory.getLogger(Timeline.class);

    private static final String ASK = """
            select system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) from pg_control_system()
            """;

    /** The one of a server that is not in recovery; empty where the server does not tell. */
    static Optional<Timeline> of(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, ASK);
                var found = statement.executeQuery()) {
            found.next();
            return Optional.of(new Timeline(found.getString(1), Long.parseLong(found.getString(2), 16)));
        } catch (PSQLException e) {
            if (e.getServerErrorMessage() == null) {
                throw e;
            }
            log.debug("The server does not tell its timeline.", e);
            return Optional.empty();
        }
    }
}
