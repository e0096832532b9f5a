package berth.database;

import berth.reservation.ClusterId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last acknowledged event of each cluster, in a file next to the database. A database that is behind the file has gone back in time: it
 * was restored, or a replica took over that had not received everything. The file also holds the latest timeline that was seen; a server on
 * an earlier one has gone back, too.
 *
 * <p>The file is written after each commit but not flushed, so a crash of the machine may leave it behind the database, never ahead. It has
 * lines of {@value #LINE} bytes: one for the database, one for its timeline, and one for each cluster.
 */
public final class AcknowledgedPositions implements AutoCloseable {

    public static final String NAME = "acknowledged";

    /** The advice to an operator who wants to continue with the present database. */
    static final String WAY_ON = "remove the file %s from the data directory and start Berth again.".formatted(NAME);

    private static final String DATABASE = "database:";
    private static final String TIMELINE = "timeline:";

    private static final Logger log = LoggerFactory.getLogger(AcknowledgedPositions.class);

    /** The length of a line in bytes. It divides the page size of a disk, so no line lies in two pages. */
    private static final int LINE = 128;

    private final Path path;
    private final Map<String, Mark> marks = new HashMap<>();
    private final RandomAccessFile file;
    private Optional<Timeline> latest = Optional.empty();
    private boolean isBegun;
    private boolean isFailing;

    /** The number recorded for a cluster, for the database or for its timeline, and where its line begins. */
    private record Mark(long position, long number) {}

    /**
     * Opens the file.
     *
     * @throws StartRefused if the file cannot be used
     */
    public AcknowledgedPositions(DataDirectory directory) {
        path = directory.resolve(NAME);
        try {
            if (!Files.exists(path)) {
                DataDirectory.createPrivateFile(path);
            }
            file = new RandomAccessFile(path.toFile(), "rw");
            read();
        } catch (IOException e) {
            throw new StartRefused(
                    "%s cannot be used: %s".formatted(path, e.getMessage()),
                    "Make it writable for the user that runs Berth.");
        }
    }

    private void read() throws IOException {
        var line = new byte[LINE];
        for (long position = 0; position + LINE <= file.length(); position += LINE) {
            file.seek(position);
            file.readFully(line);
            var words = new String(line, StandardCharsets.US_ASCII).strip().split(" +", -1);
            if (words.length == 2 && words[1].matches("\\d{1,18}")) {
                long number = Long.parseLong(words[1]);
                marks.put(words[0], new Mark(position, number));
                if (words[0].startsWith(TIMELINE)) {
                    latest = Optional.of(new Timeline(words[0].substring(TIMELINE.length()), number));
                }
            }
        }
    }

    /**
     * Checks that the database is the same as before and has everything that was acknowledged.
     *
     * @throws StartRefused if it is another one or lacks something
     */
    public synchronized void require(Connection connection) throws SQLException {
        var installation = installation(connection);
        var present = sequences(connection);
        var missing = new ArrayList<String>();
        if (!marks.isEmpty() && !marks.containsKey(installation)) {
            missing.add("it is not the database that this data directory was used with before");
        }
        marks.forEach((name, mark) -> {
            if (name.equals(installation)) {
                long generation = present.getOrDefault(name, 0L);
                if (generation < mark.number) {
                    missing.add(
                            "it counts %d starts of the service, but there were %d".formatted(generation, mark.number));
                }
            } else if (!name.contains(":") && present.getOrDefault(name, 0L) < mark.number) {
                missing.add("cluster %s ends with event %d, but event %d was acknowledged"
                        .formatted(name, present.getOrDefault(name, 0L), mark.number));
            }
        });
        if (!missing.isEmpty()) {
            throw new StartRefused(
                    "The database has gone back in time: %s.".formatted(String.join("; ", missing)),
                    "Bring back a later state of the database. To go on from this one nevertheless, remove %s and start again; then tell"
                                    .formatted(path)
                            + " the owners of reservations made since then that these are lost.");
        }
    }

    /** Returns the id of the installation, in the form of a key beside the names of clusters, none of which contains a colon. */
    private static String installation(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, "select id from installation");
                var found = statement.executeQuery()) {
            found.next();
            return DATABASE + found.getObject(1, UUID.class);
        }
    }

    /** Returns the last sequence of each cluster and, under the installation's key, the number of takeovers. */
    private static Map<String, Long> sequences(Connection connection) throws SQLException {
        var sequences = new HashMap<String, Long>();
        var asked = "select cluster, sequence from head union all"
                + " select 'database:' || id, generation from installation, writer";
        try (var statement = Sql.prepare(connection, asked);
                var found = statement.executeQuery()) {
            while (found.next()) {
                sequences.put(found.getString(1), found.getLong(2));
            }
        }
        return sequences;
    }

    /**
     * Records the number of takeovers in the database and the latest timeline that was seen. From now on, later timelines are recorded as
     * well.
     */
    synchronized void begin(Connection connection) throws SQLException {
        var installation = installation(connection);
        note(installation, sequences(connection).getOrDefault(installation, 0L));
        isBegun = true;
        latest.ifPresent(this::note);
    }

    /**
     * Returns what speaks against a server with that timeline; empty if nothing does, in which case the timeline is noted as the latest.
     */
    public synchronized Optional<String> doubt(Timeline timeline) {
        if (latest.isPresent()) {
            var before = latest.get();
            if (!before.system().equals(timeline.system())) {
                return Optional.of(
                        "its system identifier is %s, but was %s".formatted(timeline.system(), before.system()));
            }
            if (before.number() > timeline.number()) {
                return Optional.of("it is on timeline %d, but timeline %d is already in use"
                        .formatted(timeline.number(), before.number()));
            }
        }
        latest = Optional.of(timeline);
        if (isBegun) {
            note(timeline);
        }
        return Optional.empty();
    }

    private void note(Timeline timeline) {
        note(TIMELINE + timeline.system(), timeline.number());
    }

    /** Notes an event that is about to be acknowledged. */
    public void note(ClusterId cluster, long sequence) {
        note(cluster.value(), sequence);
    }

    private synchronized void note(String name, long number) {
        try {
            var before = marks.get(name);
            if (before != null && before.number >= number) {
                return;
            }
            long position = before == null ? file.length() / LINE * LINE : before.position;
            file.seek(position);
            file.write(line(name, number));
            marks.put(name, new Mark(position, number));
            isFailing = false;
        } catch (IOException e) {
            if (!isFailing) {
                isFailing = true;
                log.warn(
                        "Berth cannot note acknowledged events in {}, so a start may not notice that a restored database lacks some: {}",
                        path,
                        e.getMessage());
            }
        }
    }

    private static byte[] line(String name, long number) {
        return "%-64s %20d%42s\n".formatted(name, number, "").getBytes(StandardCharsets.US_ASCII);
    }

    /** Removes the file, because an operator has chosen a new starting point. */
    public static void forget(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(NAME));
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
