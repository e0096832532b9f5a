package berth.persistence;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Tells when the server is another one, or the same after a crash: what was committed there without waiting for a disk may be lost then.
 * Every session ends with a server's life, so it is enough to ask in each new one.
 */
final class ServerLife {

    /** Another word after each start of the server, and after each crash from which it recovers by itself. */
    private static final String NAME = "select pg_postmaster_start_time() || ' '"
            + " || coalesce((select stats_reset::text from pg_stat_bgwriter), '')";

    private final Runnable loss;
    private String last = "";

    /** @param loss runs before anybody has a session with the next one */
    ServerLife(Runnable loss) {
        this.loss = loss;
    }

    /** Asks in a session that nobody has yet. */
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
