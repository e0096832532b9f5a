package berth.store;

import berth.cluster.Cluster;
import berth.database.CommandDatabase;
import berth.database.Schema;
import berth.engine.Ledger.Batch;
import berth.reservation.Charge;
import berth.reservation.ClientLabels;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.springframework.core.env.StandardEnvironment;

/**
 * Creates a database whose journal has a year of ended runs, with three events each, and runs still to come: for measurements of starts,
 * exports and rebuilds.
 *
 * <pre>BERTH_DATA_DIR=… HistoryGenerator ENDED LIVE [CLUSTERS]</pre>
 *
 * <p>The cluster is {@code history}; with several clusters, each has that many runs, and they are {@code history-1} and so on.
 */
final class HistoryGenerator {

    private static final int EVENTS_IN_A_ROW = 48;
    private static final int DAY = 86_400;

    private final Connection connection;
    private final Cluster cluster;
    private final Random random = new Random(1);
    private final long now = Instant.now().getEpochSecond();
    private final List<Event> events = new ArrayList<>();
    private long sequence;

    private HistoryGenerator(Connection connection, String cluster) {
        this.connection = connection;
        this.cluster = Cluster.of(cluster, 1_000_000);
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("berth.data-dir", System.getenv("BERTH_DATA_DIR"));
        System.setProperty("berth.database.copies", "1");
        try (var place = CommandDatabase.forWriting(new StandardEnvironment())) {
            Schema.flyway(place.database()).migrate();
            try (var connection = Schema.connect(place.database())) {
                connection.setAutoCommit(false);
                int clusters = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
                for (int number = 1; number <= clusters; number++) {
                    new HistoryGenerator(connection, clusters == 1 ? "history" : "history-" + number)
                            .generate(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
                }
                connection.commit();
            }
        }
    }

    private void generate(int ended, int live) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("insert into head values ('%s', null, 0, 0)".formatted(cluster.id()));
            statement.execute("insert into projection values ('%s', -1)".formatted(cluster.id()));
        }
        Journal.create(connection, cluster, Optional.empty(), Instant.ofEpochSecond(now - 366 * DAY));
        for (int i = 0; i < ended; i++) {
            long start = now - 365 * DAY + (long) (364.0 * DAY / ended * i);
            var slot = Slot.of(start, 1 + random.nextInt(DAY / 2));
            var confirmed = reservation(slot, start - 600);
            var running = ReservationEvent.became(confirmed, ReservationState.RUNNING, slot.start());
            add(ReservationEvent.accepted(confirmed));
            add(running);
            add(ReservationEvent.became(running.reservation(), ReservationState.COMPLETED, slot.start()));
        }
        for (int i = 0; i < live; i++) {
            long start = now + DAY + random.nextInt(80 * DAY);
            add(ReservationEvent.accepted(reservation(Slot.of(start, 1 + random.nextInt(DAY / 2)), now - DAY)));
        }
        write();
    }

    private Reservation reservation(Slot slot, long at) {
        var terms = new Terms(
                new Window(slot.start(), slot.end() + 3600),
                slot.duration(),
                List.of(new Shape(1, slot.duration())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
        return new Reservation(
                Samples.reservationId(),
                cluster.id(),
                new Origin(
                        new AccountName("alice"),
                        ServiceClass.STANDARD,
                        ClientLabels.NONE.with("name", Optional.of("a run")).with("project", Optional.of("film"))),
                terms,
                Placement.of(List.of(Part.whole(slot, 1)), slot.start()),
                Charge.of(Samples.usd("12.50")),
                Status.confirmed(at),
                Optional.empty());
    }

    private void add(ReservationEvent event) throws SQLException {
        events.add(event);
        if (events.size() == EVENTS_IN_A_ROW) {
            write();
        }
    }

    private void write() throws SQLException {
        if (!events.isEmpty()) {
            var at = Instant.ofEpochSecond(events.getLast().at());
            Journal.append(connection, new Batch(cluster.id(), 0, sequence, List.copyOf(events), List.of()), 1, at);
            sequence += events.size();
            events.clear();
        }
    }
}
