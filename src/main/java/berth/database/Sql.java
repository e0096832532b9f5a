package berth.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Statements with parameters. */
public final class Sql {

    /** The SQLSTATE of a notice. */
    private static final String SUCCESS = "00000";

    /** The SQLSTATE of a transaction whose outcome is unknown. */
    private static final String UNKNOWN = "08007";

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private Sql() {}

    /** Prepares a statement, which the caller closes. */
    public static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        var statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    /** Returns how many rows have changed. */
    public static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (var statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /**
     * Returns a statement that deletes some rows of a table.
     *
     * @param which the name of the table and a condition with parameters; the statement's last parameter is the largest number of rows
     */
    public static String deletingSome(String which) {
        var table = which.substring(0, which.indexOf(' '));
        return "delete from %s where ctid = any(array(select ctid from %s limit ?))".formatted(table, which);
    }

    /** Whether the query returns a row. */
    public static boolean finds(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (var statement = prepare(connection, sql, parameters);
                var found = statement.executeQuery()) {
            return found.next();
        }
    }

    /**
     * Checks that a commit is complete. A commit that did not reach the required standby ends with only a warning.
     *
     * @throws SQLException if there is a warning, so the outcome of the transaction is unknown
     */
    public static void requireNoWarning(@Nullable SQLWarning warning) throws SQLException {
        if (warning != null && !SUCCESS.equals(warning.getSQLState())) {
            throw new SQLException("The commit ended with a warning: " + warning.getMessage(), UNKNOWN, warning);
        }
    }

    /** Extends the network timeout to ten minutes for a transaction on which nobody waits. */
    public static void takeTime(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) LONGEST.toMillis());
    }
}
