package berth.store;

import static berth.store.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.engine.KeyUse;
import berth.engine.Ledger.Batch;
import berth.engine.Ledger.RecordedKey;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.OpenReturn;
import berth.reservation.Placement;
import berth.reservation.Quantity;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.reservation.Status;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import berth.scheduling.Event.Type;
import berth.sla.AccountName;
import berth.sla.Leeway;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.store.JournalFormat.Entry;
import berth.store.JournalFormat.Line;
import berth.time.Slot;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JournalFormatTest {

    private static final ClusterId CLUSTER = new ClusterId("demo");

    @Test
    void everyEntryIsReadBackAsItWasWritten() {
        for (int seed = 0; seed < 300; seed++) {
            var events = events(new Samples(seed));
            var keys = List.of(new RecordedKey(new KeyUse(new AccountName("alice"), "k-" + seed, "print"), 8));
            var entry = Entry.of(new Batch(CLUSTER, 3, 7, events, keys));

            var read = JournalFormat.read(JournalFormat.NUMBER, JournalFormat.write(entry));

            assertThat(read.events().stream().map(Line::toEvent).toList()).isEqualTo(events);
            assertThat(read.keys()).isEqualTo(entry.keys());
        }
    }

    @Test
    void preemptionIsWrittenInTheWayInWhichTheClientGaveIt() {
        var fifths = new Preemption(OptionalInt.of(2), new BigDecimal("0.20"), true);
        var thirds = new Preemption(OptionalInt.empty(), 3, false);

        assertThat(JournalFormat.json(fifths)).isEqualTo("{\"maxParts\":2,\"step\":0.2,\"moldableParts\":true}");
        assertThat(JournalFormat.json(thirds)).isEqualTo("{\"steps\":3,\"moldableParts\":false}");
        for (var how : List.of(fifths, thirds)) {
            assertThat(JournalFormat.read(JournalFormat.json(how), Preemption.class))
                    .isEqualTo(how);
        }
    }

    @Test
    void aClusterThatWasCreatedIsReadAgain() {
        var cluster = new Samples(1).cluster("demo", 0);
        var entry = Entry.of(cluster, Optional.of(new KeyUse(new AccountName("root"), "k", "print")));

        assertThat(JournalFormat.read(JournalFormat.NUMBER, JournalFormat.write(entry)))
                .isEqualTo(entry);
    }

    @Test
    void returnedTimeIsReadBackAndLeftOutIfThereIsNone() {
        var samples = new Samples(7);
        var plain = Stream.generate(() -> samples.reservation(CLUSTER, new ReservationId(new UUID(0, 1)), 1))
                .filter(each ->
                        each.parts().size() == 1 && each.placement().losses().areNone())
                .findFirst()
                .orElseThrow();
        var place = plain.placement();
        var back = new Quantity(plain.price(), 60);

        var returned = plain.with(
                        new Placement(place.parts(), place.fixesAt(), place.turns(), place.losses(), place.parts()))
                .charged(plain.charge().returning(back, back, Optional.empty()));
        var numbered = new Part(new Slot(NOW, NOW + 60), 2, Optional.of(PeSet.range(3, 5)), 1);
        var open =
                returned.charged(returned.charge().returning(back, back, OpenReturn.of(NOW, back, List.of(numbered))));
        var credited = new ReservationEvent(
                Type.RETURN_CREDITED,
                open,
                NOW,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new ReturnCredit(Samples.reservationId(), back)));

        assertThat(JournalFormat.reservation(JournalFormat.json(returned))).isEqualTo(returned);
        assertThat(JournalFormat.json(returned)).contains("\"former\"", "\"returned\"");
        assertThat(JournalFormat.json(returned)).doesNotContain("open");
        assertThat(JournalFormat.json(plain)).doesNotContain("former", "returned");
        assertThat(JournalFormat.reservation(JournalFormat.json(open))).isEqualTo(open);
        assertThat(JournalFormat.event(JournalFormat.text(credited))).isEqualTo(credited);
    }

    /** Existing rows stay readable, whatever happens to the names of classes and fields. */
    @Test
    void rowsOfEveryFormatStayReadable() throws Exception {
        try (var lines = new BufferedReader(new InputStreamReader(
                JournalFormatTest.class.getResourceAsStream("journal-1.ndjson"), StandardCharsets.UTF_8))) {
            var texts = lines.lines().toList();
            assertThat(texts.stream()
                            .map(text -> JournalFormat.event(text).getClass().getSimpleName()))
                    .contains(
                            "ReservationEvent", "ClusterEvent", "OutageEvent", "JobEvent", "JobsEvent", "RequestEvent");
            assertThat(texts)
                    .allSatisfy(text -> assertThat(JournalFormat.text(JournalFormat.event(text)))
                            .isEqualTo(text));
        }
    }

    @Test
    void aFailedReservationKeepsItsNearestPlace() {
        var failed = Samples.reservation(CLUSTER, Status.confirmed(NOW))
                .failed(EndReason.PES_LOST, new Money(BigDecimal.ONE, Currency.getInstance("USD")), NOW + 5);
        var fitting = failed.fitting(new Slot(NOW + 60, NOW + 120));

        var text = JournalFormat.text(new ReservationEvent(Type.FAILED, fitting, NOW + 5));

        assertThat(((ReservationEvent) JournalFormat.event(text)).reservation()).isEqualTo(fitting);
        assertThat(JournalFormat.text(new ReservationEvent(Type.FAILED, failed, NOW + 5)))
                .doesNotContain("nearestPlace");
    }

    @Test
    void aRowOfALaterFormatIsRefused() {
        assertThatThrownBy(() -> JournalFormat.read((short) 2, new byte[0]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("format 2", "Run the later version.");
    }

    private static List<Event> events(Samples samples) {
        var job = samples.job(CLUSTER, 5);
        return List.of(
                ReservationEvent.accepted(samples.reservation(CLUSTER, Samples.reservationId(), 0)),
                new ReservationEvent(
                        Type.MOVED,
                        samples.reservation(CLUSTER, Samples.reservationId(), 4),
                        NOW,
                        Optional.of(samples.move()),
                        Optional.empty()),
                new ReservationEvent(
                        Type.NOT_EXTENDED,
                        samples.reservation(CLUSTER, Samples.reservationId(), 2),
                        NOW,
                        Optional.empty(),
                        Optional.of(RefusalCode.NO_SLOT)),
                new ClusterEvent(samples.cluster("demo", 3), NOW),
                new OutageEvent(Type.OUTAGE_ENDED, ended(samples.outage(CLUSTER, NOW)), NOW + 9),
                new JobEvent(Type.JOB_QUEUED, job, NOW),
                new JobEvent(Type.JOB_STARTED, samples.running(job), NOW),
                new JobsEvent(samples.queue(CLUSTER, 6), NOW),
                new RequestEvent(Type.REJECTED, request(), NOW));
    }

    private static Outage ended(Outage outage) {
        return outage.ended(NOW + 9);
    }

    private static IntakeRequest request() {
        var reservation = Samples.reservation(CLUSTER, Status.confirmed(NOW));
        return IntakeRequest.pending(
                        reservation.id(),
                        CLUSTER,
                        reservation.origin(),
                        7,
                        RequestedTerms.of(reservation.terms()),
                        OptionalLong.of(NOW + 60),
                        NOW)
                .within(Optional.of(Leeway.ANY))
                .rejected(RefusalCode.values()[0], NOW + 5);
    }
}
