package berth.persistence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Statements with parameters. */
final class Sql {

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

    /** Whether there is a row. */
    static boolean finds(Connection connection, String sql, Object... parameters) throws SQLException {
        try (var statement = prepare(connection, sql, parameters);
                var found = statement.executeQuery()) {
            return found.next();
        }
    }
}
