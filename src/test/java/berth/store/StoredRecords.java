package berth.store;

import berth.booking.Coallocation;
import berth.peers.store.MirrorRow;
import berth.sla.Part;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;

/** The records in the tables, each as the journal's JSON. */
public final class StoredRecords {

    private StoredRecords() {}

    /** Returns each record as an object with its kind and its JSON, in order. */
    public static List<String> of(StatelessSession session) {
        return Stream.of(
                        all(session, ClusterRow.class).map(row -> line("cluster", row.toCluster())),
                        all(session, RequestRow.class).map(row -> line("request", row.toRequest())),
                        all(session, RequestRow.class)
                                .filter(row -> row.choice != null)
                                .map(row -> line("choice", JournalFormat.read(row.choice, RequestRow.Choice.class))),
                        all(session, JobRow.class).map(row -> line("job", row.toJob())),
                        all(session, OutageRow.class).map(row -> line("outage", row.toOutage())),
                        all(session, ReservationRow.class)
                                .filter(row -> row.parts != null)
                                .map(row -> line("parts", JournalFormat.read(row.parts, Part[].class))),
                        all(session, MirrorRow.class)
                                .map(row -> line("origin", row.toMirror().origin())),
                        session.createNativeQuery("select content from coallocation", String.class)
                                .getResultStream()
                                .map(content -> line("coallocation", JournalFormat.read(content, Coallocation.class))))
                .flatMap(lines -> lines)
                .sorted()
                .toList();
    }

    private static <R> Stream<R> all(StatelessSession session, Class<R> type) {
        return session.createSelectionQuery("from " + type.getSimpleName(), type)
                .getResultStream();
    }

    private static String line(String kind, Object part) {
        return "{\"%s\":%s}".formatted(kind, JournalFormat.json(part));
    }
}
