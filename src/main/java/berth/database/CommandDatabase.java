package berth.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.env.Environment;

/** The database from the service's settings, for a command. If it is embedded, its server runs while this is open. */
public final class CommandDatabase implements AutoCloseable {

    private final Path directory;
    private final JdbcConnectionDetails database;
    private final Deque<AutoCloseable> opened;

    private CommandDatabase(Path directory, JdbcConnectionDetails database, Deque<AutoCloseable> opened) {
        this.directory = directory;
        this.database = database;
        this.opened = opened;
    }

    /**
     * Opens the database for reading, whether the service runs or not.
     *
     * @throws StartRefused if there is no database or it cannot be used
     */
    public static CommandDatabase forReading(Environment settings) throws IOException {
        var directory = directory(settings);
        var named = named(settings);
        if (named != null) {
            return new CommandDatabase(directory, named, new ArrayDeque<>());
        }
        if (!Files.isDirectory(directory.resolve("postgresql"))) {
            throw new StartRefused(
                    "The data directory %s has no database.".formatted(directory),
                    "Set BERTH_DATA_DIR or SPRING_DATASOURCE_URL as for the service.");
        }
        try {
            return embedded(directory);
        } catch (DataDirectory.InUse e) {
            return new CommandDatabase(directory, EmbeddedServer.running(directory), new ArrayDeque<>());
        }
    }

    /**
     * Opens the database for writing and creates it if necessary. The service must not be running.
     *
     * @throws StartRefused if a service runs, or the database cannot be used
     */
    public static CommandDatabase forWriting(Environment settings) {
        var directory = directory(settings);
        var named = named(settings);
        var place = named == null ? embedded(directory) : new CommandDatabase(directory, named, new ArrayDeque<>());
        try {
            // the person who runs the command vouches for the database
            var durability = new Durability(
                    settings.getRequiredProperty("berth.database.copies", Integer.class), _ -> Optional.empty());
            place.opened.push(new WriterLock(place.database, new Generation(_ -> {}), durability, InstanceMode.ONE));
            return place;
        } catch (StartRefused e) {
            place.close();
            throw e;
        }
    }

    private static CommandDatabase embedded(Path path) {
        var opened = new ArrayDeque<AutoCloseable>();
        var directory = new DataDirectory(path);
        opened.push(directory);
        var server = new EmbeddedServer(directory);
        opened.push(server);
        return new CommandDatabase(path, server, opened);
    }

    private static Path directory(Environment settings) {
        return Path.of(settings.getRequiredProperty("berth.data-dir"))
                .toAbsolutePath()
                .normalize();
    }

    private static @Nullable NamedDatabase named(Environment settings) {
        var url = settings.getProperty("spring.datasource.url", "");
        return url.isBlank()
                ? null
                : new NamedDatabase(
                        url,
                        settings.getProperty("spring.datasource.username"),
                        settings.getProperty("spring.datasource.password"));
    }

    /** Returns the service's data directory. */
    public Path directory() {
        return directory;
    }

    public JdbcConnectionDetails database() {
        return database;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
