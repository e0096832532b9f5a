package berth.archive;

import berth.archive.Manifest.ClusterContent;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.EmbeddedServer;
import berth.database.OfflineDatabase;
import berth.database.StartRefused;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.scheduling.Event.JobsEvent;
import berth.store.EventRow;
import berth.store.Journal;
import berth.store.JournalFormat;
import berth.store.JournaledSchedule;
import berth.store.Projection;
import berth.store.ScheduleDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Verifies an export: reads it into a temporary database, brings the tables for reading up to the journal, assembles every schedule as a
 * start would, and compares the result with the journal and the manifest.
 */
final class Verification implements AutoCloseable {

    private static final int ROWS_AT_A_TIME = 256;

    private final Path file;
    private final Manifest manifest;
    private final Path directory;
    private final DataDirectory place;
    private final EmbeddedServer server;

    /**
     * Creates a verification.
     *
     * @param directory the directory for temporary files; it need not exist
     * @throws UnusableExport if the file is not an export
     */
    Verification(Path file, Path directory) {
        this.file = file;
        this.manifest = Import.manifest(file);
        this.directory = directory;
        this.place = new DataDirectory(directory);
        this.server = server(place);
    }

    private static EmbeddedServer server(DataDirectory place) {
        try {
            return EmbeddedServer.thrownAway(place);
        } catch (StartRefused e) {
            try {
                place.close();
            } catch (IOException unlocking) {
                e.addSuppressed(unlocking);
            }
            throw e;
        }
    }

    /** The result. */
    sealed interface Verdict {

        /**
         * The export is good.
         *
         * @param clusters the number of clusters
         * @param events the number of events in their journals
         * @param live the number of reservations in their schedules
         */
        record Good(Manifest manifest, int clusters, long events, long live) implements Verdict {}

        /** The export is not good. */
        record Bad(String reason) implements Verdict {}
    }

    /**
     * Verifies the export.
     *
     * @throws UnusableExport if the file is damaged
     */
    Verdict verdict() throws SQLException {
        Import.into(server, file);
        try (var offline = new OfflineDatabase(server)) {
            return compared(offline.database());
        }
    }

    /** Removes the temporary files; a verification in progress fails. */
    @Override
    public synchronized void close() {
        server.close();
        try {
            place.close();
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the temporary files of a killed verification in the data directory and stops its server. */
    static void removeLeftovers(DataDirectory data, Path directory) {
        if (Files.exists(directory)) {
            try {
                EmbeddedServer.stopLeftBehind(directory, data.resolve(""));
                FileSystemUtils.deleteRecursively(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Verdict compared(Database database) {
        var clusters = database.write(
                session -> session.createNativeQuery("select cluster from head order by cluster", String.class)
                        .list());
        long events = 0;
        long live = 0;
        try {
            for (var name : clusters) {
                var cluster = new ClusterId(name);
                var compared =
                        database.write(session -> new Comparison(session, cluster).compare(manifest.cluster(name)));
                events += compared.events;
                live += compared.live;
            }
        } catch (Difference e) {
            return new Verdict.Bad(e.difference);
        }
        return new Verdict.Good(manifest, clusters.size(), events, live);
    }

    /** The tables differ from the journal or the manifest. */
    private static final class Difference extends RuntimeException {
        private final String difference;

        Difference(ClusterId cluster, @Nullable String what) {
            difference = "Cluster %s: %s".formatted(cluster, what);
        }
    }

    private record Compared(long events, long live) {}

    private record Comparison(StatelessSession session, ClusterId cluster) {

        Compared compare(Optional<ClusterContent> said) {
            Projection.followToTheEnd(session, cluster);
            var events = session.doReturningWork(this::compareEvents);
            var rebuilt = rebuilt();
            var digest = ScheduleDigest.of(rebuilt.schedule());
            session.doReturningWork(connection -> JournaledSchedule.created(connection, cluster))
                    .ifPresent(created -> {
                        var folded = session.doReturningWork(created::withJournal);
                        require(
                                digest.equals(ScheduleDigest.of(folded.schedule())),
                                "its schedule differs from the one that its journal makes.");
                    });
            said.ifPresent(content -> {
                require(
                        rebuilt.sequence() == content.sequence(),
                        "its journal ends with event %d, but the manifest says %d."
                                .formatted(rebuilt.sequence(), content.sequence()));
                require(digest.equals(content.schedule()), "its schedule differs from the exported one.");
            });
            return new Compared(events, rebuilt.schedule().reservations().size());
        }

        private JournaledSchedule rebuilt() {
            try {
                return JournaledSchedule.inTables(session, cluster);
            } catch (IllegalStateException e) {
                throw new Difference(cluster, e.getMessage());
            }
        }

        /** Compares the events in the tables with those in the journal; returns how many the journal has. */
        private long compareEvents(Connection connection) throws SQLException {
            var keptFrom = asked("select kept_from from projection where cluster = :cluster", Instant.class);
            long head = asked("select sequence from head where cluster = :cluster", Long.class);
            long last = -1;
            long events = 0;
            var rows = Journal.after(connection, cluster, last, ROWS_AT_A_TIME);
            while (!rows.isEmpty()) {
                var inTables = events(rows.getFirst().first(), rows.getLast().last());
                for (var row : rows) {
                    require(
                            last < 0 || row.first() == last + 1,
                            "its journal lacks events %d to %d.".formatted(last + 1, row.first() - 1));
                    long sequence = row.first();
                    for (var line : row.entry().events()) {
                        var found = inTables.get(sequence);
                        boolean isEqual = found == null
                                ? Instant.ofEpochSecond(line.at()).isBefore(keptFrom)
                                : isEqual(found, line.toEvent());
                        require(
                                isEqual,
                                "event %d in the tables differs from the one in the journal.".formatted(sequence));
                        sequence++;
                        events++;
                    }
                    last = row.last();
                }
                rows = Journal.after(connection, cluster, last, ROWS_AT_A_TIME);
            }
            require(
                    last < 0 || last == head,
                    "its journal ends with event %d, but the cluster has %d.".formatted(last, head));
            return events;
        }

        private Map<Long, EventRow> events(long first, long last) {
            return session.createSelectionQuery(
                            "from EventRow where cluster = :cluster and sequence between :first and :last",
                            EventRow.class)
                    .setParameter("cluster", cluster.value())
                    .setParameter("first", first)
                    .setParameter("last", last)
                    .getResultStream()
                    .collect(Collectors.toMap(row -> row.sequence, Function.identity()));
        }

        private static boolean isEqual(EventRow row, Event event) {
            return row.content == null
                    ? event instanceof JobsEvent && row.type == event.type()
                    : row.type == event.type()
                            && (row.content.equals(JournalFormat.text(event))
                                    || JournalFormat.event(row.content).equals(event));
        }

        private <T> T asked(String sql, Class<T> type) {
            return session.createNativeQuery(sql, type)
                    .setParameter("cluster", cluster.value())
                    .getSingleResult();
        }

        private void require(boolean holds, String what) {
            if (!holds) {
                throw new Difference(cluster, what);
            }
        }
    }
}
