package berth.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import berth.archive.Manifest.ClusterContent;
import berth.archive.Manifest.TableContent;
import berth.cluster.Cluster;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.Refusals;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.store.Digests;
import berth.store.JournalFormat;
import berth.store.JournalFormat.Entry;
import berth.store.JournalFormat.Line;
import berth.store.ScheduleDigest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Exports journals that no database has. The tables for reading follow them at the next start. */
public final class JournalExport {

    private JournalExport() {}

    /**
     * The journal of a cluster.
     *
     * @param createdAt when the cluster was created, in seconds since the epoch
     * @param batches the batches in order, from sequence 0
     * @param refused how many requests were refused
     * @param schedule the schedule after the last batch
     */
    public record Journal(
            Cluster cluster,
            long createdAt,
            List<Batch> batches,
            Map<Refusals, Long> refused,
            ClusterSchedule schedule) {

        private long sequence() {
            return batches.isEmpty() ? 0 : batches.getLast().lastSequence();
        }

        private Stream<List<Object>> rows() {
            var created = new Entry(cluster, List.of(), List.of());
            return Stream.concat(
                    Stream.of(row(0, 0, createdAt, created)),
                    batches.stream()
                            .map(batch -> row(
                                    batch.sequence() + 1,
                                    batch.lastSequence(),
                                    batch.events().getLast().at(),
                                    new Entry(null, lines(batch.events()), List.of()))));
        }

        private static List<Line> lines(List<Event> events) {
            return events.stream().map(Line::of).toList();
        }

        private List<Object> row(long first, long last, long at, Entry entry) {
            var bytes = "\\x" + HexFormat.of().formatHex(JournalFormat.write(entry));
            return List.of(cluster.id(), first, last, 0, Instant.ofEpochSecond(at), JournalFormat.NUMBER, bytes);
        }
    }

    /**
     * A table and how its rows follow from a journal.
     *
     * @param rows returns the values in the order of the columns
     */
    private record Table(String name, List<String> columns, Function<Journal, Stream<List<Object>>> rows) {}

    /** The tables, each after those to which it refers; also the empty ones without which PostgreSQL cannot empty the others. */
    private static final List<Table> TABLES = List.of(
            new Table(
                    "cluster",
                    List.of("id", "content", "created_at"),
                    journal -> Stream.of(List.of(
                            journal.cluster.id(),
                            JournalFormat.json(journal.schedule.cluster()),
                            Instant.ofEpochSecond(journal.createdAt)))),
            new Table(
                    "head",
                    List.of("cluster", "epoch", "sequence"),
                    journal -> Stream.of(List.of(journal.cluster.id(), 0, journal.sequence()))),
            new Table(
                    "journal",
                    List.of("cluster", "first_sequence", "last_sequence", "epoch", "at", "format", "entry"),
                    Journal::rows),
            new Table("maintenance", List.of("id"), _ -> Stream.empty()),
            new Table(
                    "projection",
                    List.of("cluster", "sequence"),
                    journal -> Stream.of(List.of(journal.cluster.id(), 0))),
            new Table(
                    "refusal",
                    List.of("cluster", "hour", "code", "number"),
                    journal -> journal.refused.entrySet().stream()
                            .map(refused -> List.<Object>of(
                                    journal.cluster.id(),
                                    Instant.ofEpochSecond(refused.getKey().hour()),
                                    refused.getKey().code().word(),
                                    refused.getValue()))),
            new Table("series", List.of("id"), _ -> Stream.empty()));

    /**
     * Writes an export of journals.
     *
     * @param file the file to write or replace
     * @param schema the version of the schema that this Berth uses
     * @param at the moment after the last batch
     */
    public static void write(Path file, int schema, Instant at, List<Journal> journals) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            var contents = new ArrayList<TableContent>();
            for (var table : TABLES) {
                contents.add(write(zip, table, journals));
            }
            var clusters = journals.stream()
                    .map(journal -> new ClusterContent(
                            journal.cluster.id().value(), journal.sequence(), ScheduleDigest.of(journal.schedule)))
                    .toList();
            zip.putNextEntry(new ZipEntry(Manifest.NAME));
            zip.write(new Manifest(Manifest.FORMAT, Export.version(), Optional.empty(), schema, at, contents, clusters)
                    .write());
            zip.closeEntry();
        }
    }

    private static TableContent write(ZipOutputStream zip, Table table, List<Journal> journals) throws IOException {
        var rows =
                journals.stream().flatMap(table.rows).map(JournalExport::line).toList();
        var bytes = String.join("", rows).getBytes(UTF_8);
        var hash = HexFormat.of().formatHex(Digests.sha256().digest(bytes));
        var content = new TableContent(table.name, table.columns, rows.size(), hash);
        zip.putNextEntry(new ZipEntry(content.entry()));
        ((OutputStream) zip).write(bytes);
        zip.closeEntry();
        return content;
    }

    /** Returns a row in the text format of COPY. No value has a tab or a line break. */
    private static String line(List<Object> values) {
        return values.stream()
                .map(value -> value.toString().replace("\\", "\\\\"))
                .collect(joining("\t", "", "\n"));
    }
}
