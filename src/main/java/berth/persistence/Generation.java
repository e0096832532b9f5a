package berth.persistence;

import berth.desk.StorageUnavailable;
import berth.desk.WriterReplaced;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Who is the writer of a database: a row there with a number that each start raises, and the process that has raised it (ADR 31).
 * Whoever finds another number or process than its own has been replaced, and nothing else says so.
 */
final class Generation implements Fence {

    private static final String TAKE = """
            update writer set generation = generation + 1, process = ?, name = ? returning generation
            """;

    /** Held until the transaction ends: so long nobody else takes over. */
    private static final String REQUIRE = "select from writer where generation = ? and process = ? for share";

    private static final String SUCCESSOR = """
            select coalesce(name, 'unknown process') from writer where generation <> ? or process is distinct from ?
            """;

    /** As long as the server lets names of sessions be. */
    private static final int MAX_NAME_LENGTH = 63;

    private final UUID process = UUID.randomUUID();
    private final ApplicationEventPublisher events;
    private final AtomicBoolean isTold = new AtomicBoolean();

    /** 0 as long as this process has not been the writer. */
    private volatile long number;

    Generation(ApplicationEventPublisher events) {
        this.events = events;
    }

    /** This process, which no other one ever is. */
    UUID process() {
        return process;
    }

    /** What a person calls it. */
    String name() {
        return "berth, process %d on %s".formatted(ProcessHandle.current().pid(), hostName());
    }

    /** What all sessions of this process end with, and those of no other one. */
    String tag() {
        return " #" + process.toString().replace("-", "").substring(0, 12);
    }

    /** What the server calls a session of this process. */
    String sessionName() {
        var told = name();
        return told.substring(0, Math.min(told.length(), MAX_NAME_LENGTH - tag().length())) + tag();
    }

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed host";
        }
    }

    /**
     * Makes this process the writer. Waits for the transactions of the one before; none of them commits later.
     *
     * @throws StartRefused if one of them does not end
     */
    void take(Connection connection) {
        try (var settings = connection.createStatement();
                var statement = Sql.prepare(connection, TAKE, process, name())) {
            // the server ends a service's transactions that nobody goes on with after ten seconds
            settings.execute("set lock_timeout = '30s'");
            try (var taken = statement.executeQuery()) {
                taken.next();
                number = taken.getLong(1);
            }
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database could not be taken over: %s".formatted(e.getMessage()),
                    "Stop whatever else uses the database (pg_stat_activity lists it), and start again.");
        }
    }

    /** Whether this process has been made the writer; another one may be it by now. */
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

    /** @throws StorageUnavailable if another process had taken over by now; it may at any instant after */
    void requireNoSuccessor(Connection connection) throws SQLException {
        var successor = successor(connection);
        if (successor.isPresent()) {
            tell(successor.get());
            throw replaced();
        }
    }

    private static StorageUnavailable replaced() {
        return new StorageUnavailable(new IllegalStateException("Another process writes to the database."));
    }

    /** Who is the writer instead; empty while this process is, and as long as it has not been. */
    Optional<String> successor(Connection connection) throws SQLException {
        if (!isOpen()) {
            return Optional.empty();
        }
        try (var statement = Sql.prepare(connection, SUCCESSOR, number, process);
                var found = statement.executeQuery()) {
            return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
        }
    }

    /** Tells it once, beside whoever has found it out: whoever hears it may wait for them. */
    void tell(String successor) {
        if (isTold.compareAndSet(false, true)) {
            Thread.ofPlatform()
                    .daemon()
                    .name("replaced")
                    .start(() -> events.publishEvent(new WriterReplaced(successor)));
        }
    }
}
