package berth.database;

import berth.runtime.RestartNeeded;
import berth.runtime.StorageUnavailable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Identifies the writer of a database by a row with a number that each start raises and the id of the process that raised it (ADR 31). A
 * process that finds another number or id has been replaced; nothing else indicates that.
 */
public final class Generation implements Fence {

    private static final String TAKE = """
            update writer set generation = generation + 1, process = ?, name = ? returning generation
            """;

    /** The row stays locked until the transaction ends, so nobody can take over before. */
    private static final String REQUIRE = "select from writer where generation = ? and process = ? for share";

    private static final String SUCCESSOR = """
            select coalesce(name, 'unknown process') from writer where generation <> ? or process is distinct from ?
            """;

    /** PostgreSQL's limit for the name of a session. */
    private static final int MAX_NAME_LENGTH = 63;

    private final UUID process = UUID.randomUUID();
    private final ApplicationEventPublisher events;
    private final AtomicBoolean isTold = new AtomicBoolean();

    /** 0 until this process becomes the writer. */
    private volatile long number;

    public Generation(ApplicationEventPublisher events) {
        this.events = events;
    }

    /** Returns the unique id of this process. */
    public UUID process() {
        return process;
    }

    /** Returns the name of this process for people. */
    public String name() {
        return "berth, process %d on %s".formatted(ProcessHandle.current().pid(), hostName());
    }

    /** Returns the suffix of the names of all sessions of this process, and of no others. */
    public String tag() {
        return " #" + process.toString().replace("-", "").substring(0, 12);
    }

    /** Returns the name of a session of this process. */
    public String sessionName() {
        var told = name();
        return told.substring(0, Math.min(told.length(), MAX_NAME_LENGTH - tag().length())) + tag();
    }

    public static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed host";
        }
    }

    /**
     * Makes this process the writer. It waits for transactions of the previous writer; none can commit afterwards.
     *
     * @throws StartRefused if one of them does not end
     */
    public void take(Connection connection) {
        try (var settings = connection.createStatement();
                var statement = Sql.prepare(connection, TAKE, process, name())) {
            // the server ends a service's abandoned transactions after ten seconds
            settings.execute("set lock_timeout = '30s'");
            try (var taken = statement.executeQuery()) {
                taken.next();
                number = taken.getLong(1);
            }
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database could not be taken over: %s".formatted(e.getMessage()),
                    "Stop the other programs that use the database (pg_stat_activity lists them), and start again.");
        }
    }

    /** Whether this process has become the writer. Another process may have replaced it since. */
    @Override
    public boolean isOpen() {
        return number > 0;
    }

    @Override
    public void require(Connection connection) throws SQLException {
        if (!isOpen()) {
            throw new StorageUnavailable(new IllegalStateException("This process does not write to the database yet."));
        }
        if (!Sql.finds(connection, REQUIRE, number, process)) {
            successor(connection).ifPresent(this::tell);
            throw replaced();
        }
    }

    /**
     * Checks that no other process has taken over.
     *
     * @throws StorageUnavailable if another process has; without it, one may still do so at any time
     */
    public void requireNoSuccessor(Connection connection) throws SQLException {
        var successor = successor(connection);
        if (successor.isPresent()) {
            tell(successor.get());
            throw replaced();
        }
    }

    private static StorageUnavailable replaced() {
        return new StorageUnavailable(new IllegalStateException("Another process writes to the database."));
    }

    /** Returns the process that has replaced this one as the writer; empty if none has or this process was never the writer. */
    public Optional<String> successor(Connection connection) throws SQLException {
        if (!isOpen()) {
            return Optional.empty();
        }
        try (var statement = Sql.prepare(connection, SUCCESSOR, number, process);
                var found = statement.executeQuery()) {
            return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
        }
    }

    /** Notifies the listener once, in another thread, because the listener may wait for the caller. */
    public void tell(String successor) {
        if (isTold.compareAndSet(false, true)) {
            Thread.ofPlatform()
                    .daemon()
                    .name("replaced")
                    .start(() -> events.publishEvent(RestartNeeded.replacedBy(successor)));
        }
    }
}
