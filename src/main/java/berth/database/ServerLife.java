package berth.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Detects that the server was replaced or has crashed, so that commits which did not wait for the disk may be lost. Every session ends with
 * the server's process, so it is enough to check in each new session.
 */
final class ServerLife {

    /** A value that changes with each start of the server and each automatic recovery. */
    private static final String NAME = "select pg_postmaster_start_time() || ' '"
            + " || coalesce((select stats_reset::text from pg_stat_bgwriter), '')";

    private final Runnable loss;
    private String last = "";

    /**
     * Creates the detector.
     *
     * @param loss runs before anybody gets a session with the new server
     */
    ServerLife(Runnable loss) {
        this.loss = loss;
    }

    /** Checks in a session that nobody uses yet. */
    void look(Connection session) throws SQLException {
        try (var statement = Sql.prepare(session, NAME);
                var found = statement.executeQuery()) {
            found.next();
            seen(found.getString(1));
        }
    }

    private synchronized void seen(String life) {
        if (!last.isEmpty() && !last.equals(life)) {
            loss.run();
        }
        last = life;
    }
}
