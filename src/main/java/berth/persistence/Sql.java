package berth.persistence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Statements with parameters. */
final class Sql {

    /** The state of a mere notice. */
    private static final String SUCCESS = "00000";

    /** The state of a transaction whose outcome is not known. */
    private static final String UNKNOWN = "08007";

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private Sql() {}

    /** Prepares a statement; the caller closes it. */
    static PreparedStatement prepare(Connection connection, String sql, Object... parameters) throws SQLException {
        var statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    /** Answers how many rows have changed. */
    static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (var statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /**
     * A statement that deletes some rows of a table.
     *
     * @param which the name of the table, and a condition with parameters; the last parameter is how many rows at most
     */
    static String deletingSome(String which) {
        var table = which.substring(0, which.indexOf(' '));
        return "delete from %s where ctid = any(array(select ctid from %s limit ?))".formatted(table, which);
    }

    /** Whether there is a row. */
    static boolean finds(Connection connection, String sql, Object... parameters) throws SQLException {
        try (var statement = prepare(connection, sql, parameters);
                var found = statement.executeQuery()) {
            return found.next();
        }
    }

    /**
     * Sees to it that a commit is what it is said to be. One that was done here alone, and not at the standby that it waited for, ends
     * with nothing but a warning.
     *
     * @throws SQLException if there is a warning: what has become of the transaction is not known
     */
    static void requireNoWarning(@Nullable SQLWarning warning) throws SQLException {
        if (warning != null && !SUCCESS.equals(warning.getSQLState())) {
            throw new SQLException("The commit ended with a warning: " + warning.getMessage(), UNKNOWN, warning);
        }
    }

    /** Lets the statements of a transaction take their time, for which nobody waits. */
    static void takeTime(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) LONGEST.toMillis());
    }
}
