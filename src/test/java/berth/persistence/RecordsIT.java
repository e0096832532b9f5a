package berth.persistence;

import static berth.persistence.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.desk.Ledger;
import berth.desk.Ledger.Batch;
import berth.desk.Ledger.Outcome;
import berth.desk.Records.Filter;
import berth.desk.Records.RecordedEvent;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.time.Slot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What was recorded is read as it was, and answers what is asked of it. On the PostgreSQL that Berth brings along. */
@SpringBootTest(classes = PersistenceSuite.Wiring.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class RecordsIT {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.resolve("data").toString());
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    /** Each test has its own. */
    private final Cluster cluster = new Samples(1).cluster("c" + Samples.id(), 0);

    private final Samples samples = new Samples(7);
    private long sequence;

    @BeforeEach
    void create() {
        assertThat(ledger.create(cluster, Optional.empty())).isTrue();
        assertThat(ledger.takeOver(cluster.id()).epoch()).isEqualTo(1);
    }

    @Test
    void aClusterIsReadAsItWasCreated() {
        assertThat(ledger.clusters()).contains(cluster);
    }

    @Test
    void aReservationIsReadAsItWasRecorded() {
        var events = new ArrayList<Event>();
        for (int i = 0; i < 100; i++) {
            var id = Samples.reservationId();
            var recorded = samples.reservation(cluster.id(), id, 0);
            var changed = samples.reservation(cluster.id(), id, 1);
            var first = new ReservationEvent(Event.Type.CONFIRMED, recorded, NOW);
            var second = new ReservationEvent(Event.Type.MOVED, changed, NOW);

            append(List.of(first));
            assertThat(records.find(id)).contains(recorded);
            append(List.of(second));
            assertThat(records.find(id)).contains(changed);

            events.addAll(List.of(first, second));
        }
        assertThat(history()).containsExactlyElementsOf(events);
    }

    @Test
    void aListGoesOnWhereItStopped() {
        var reservations = Stream.generate(() -> Samples.reservation(cluster.id(), Status.confirmed(NOW)))
                .limit(5)
                .toList();
        append(reservations.stream().map(RecordsIT::accepted).toList());

        var first = records.list(ofCluster(), Optional.empty(), 3);
        var second = records.list(ofCluster(), Optional.of(first.getLast().id()), 3);

        assertThat(first).containsExactlyElementsOf(reservations.reversed().subList(0, 3));
        assertThat(second).containsExactlyElementsOf(reservations.reversed().subList(3, 5));
    }

    @Test
    void whatTookOrTakesPesInATimeIsFound() {
        var slot = new Slot(NOW + 600, NOW + 1200);
        var waiting = Samples.reservation(cluster.id(), Status.confirmed(NOW), slot);
        var other = Samples.reservation(cluster.id(), Status.confirmed(NOW), slot);
        append(List.of(
                accepted(waiting),
                accepted(other),
                ReservationEvent.became(other, ReservationState.CANCELLED, NOW + 1)));

        assertThat(records.occupying(cluster.id(), new Slot(NOW, NOW + 601), 10))
                .containsExactly(waiting);
        assertThat(records.occupying(cluster.id(), new Slot(NOW, NOW + 600), 10))
                .isEmpty();
        assertThat(records.occupying(cluster.id(), new Slot(NOW + 1200, NOW + 1201), 10))
                .isEmpty();
    }

    private static Event accepted(Reservation reservation) {
        return ReservationEvent.accepted(reservation);
    }

    private void append(List<? extends Event> events) {
        var batch = new Batch(cluster.id(), 1, sequence, List.copyOf(events), List.of());
        assertThat(ledger.append(batch)).isEqualTo(new Outcome.Committed());
        sequence = batch.lastSequence();
    }

    /** The events of the cluster, as the readers of all events see them. */
    private List<Event> history() {
        Map<String, Long> positions = new HashMap<>();
        ledger.clusters().forEach(other -> positions.put(other.id(), Long.MAX_VALUE));
        positions.remove(cluster.id());
        return records.events(positions, 1000).stream()
                .map(RecordedEvent::event)
                .toList();
    }

    private Filter ofCluster() {
        return new Filter(
                Optional.empty(),
                Optional.of(cluster.id()),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }
}
