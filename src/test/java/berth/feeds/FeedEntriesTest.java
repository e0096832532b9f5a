package berth.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.booking.BookedReservation;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.cluster.Unit;
import berth.http.ICalendar;
import berth.http.ICalendar.Entry;
import berth.peers.Mirror;
import berth.reservation.Charge;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.reservation.TakenPes;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import com.fasterxml.uuid.Generators;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class FeedEntriesTest {

    private static final UUID ID = UUID.fromString("01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21");
    private static final long DAY = 24 * 3600;

    /** A reservation with two parts, [1000, 1100) and [1300, 1400), whose place is final from 900. */
    private static Reservation reservation(Status status) {
        var terms = new Terms(
                new Window(500, 2000),
                200,
                List.of(new Shape(4, 200)),
                Optional.empty(),
                Optional.of(new Preemption(OptionalInt.empty(), new BigDecimal("0.5"), false)),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
        return new Reservation(
                new ReservationId(ID),
                new ClusterId("sp2"),
                new Origin(
                        new AccountName("ada"),
                        ServiceClass.STANDARD,
                        ClientLabels.NONE
                                .with("name", Optional.of("Wärme, 2"))
                                .with("project", Optional.of("climate"))),
                terms,
                Placement.of(
                        List.of(
                                new Part(new Slot(1000, 1100), 4, Optional.empty(), 1),
                                new Part(new Slot(1300, 1400), 4, Optional.empty(), 1)),
                        900),
                Charge.of(usd("1.00")),
                status,
                Optional.empty());
    }

    private static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }

    private static Entry entry(Reservation reservation, long now) {
        return FeedEntries.of(new BookedReservation.Here(reservation), Unit.PE, now, Optional.empty());
    }

    private static ICalendar.Status status(Reservation reservation, long now) {
        return entry(reservation, now).status();
    }

    @Test
    void aReservationIsOneEntryFromItsFirstPartToItsLast() {
        var confirmed = reservation(Status.confirmed(100));
        var entry = FeedEntries.of(
                new BookedReservation.Here(confirmed), Unit.PE, 899, Optional.of("https://berth.example.org"));

        assertThat(entry)
                .isEqualTo(new Entry(
                        ID + "@reservation.berth",
                        0,
                        100,
                        new Slot(1000, 1400),
                        ICalendar.Status.TENTATIVE,
                        "Wärme, 2 · 4 PEs on sp2 · climate",
                        """
                        4 PEs on sp2, CONFIRMED
                        Project: climate
                        Reserved by ada
                        Part 1: 1970-01-01T00:16:40Z to 1970-01-01T00:18:20Z, 4 PEs
                        Part 2: 1970-01-01T00:21:40Z to 1970-01-01T00:23:20Z, 4 PEs
                        Window: 1970-01-01T00:08:20Z to 1970-01-01T00:33:20Z
                        May be moved until 1970-01-01T00:15:00Z
                        Reservation 01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21
                        https://berth.example.org/#/reservation?id=01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21""",
                        Optional.of(
                                "https://berth.example.org/#/reservation?id=01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21")));
    }

    @Test
    void holdsAndMovableReservationsAreTentativeAndExpiredOnesCancelled() {
        var held = reservation(Status.held(200, 100));
        var confirmed = reservation(Status.confirmed(100));
        var running = confirmed.becomes(ReservationState.RUNNING, 1000);

        assertThat(status(held, 100)).isEqualTo(ICalendar.Status.TENTATIVE);
        assertThat(entry(held, 100).description()).contains("Held until 1970-01-01T00:03:20Z");
        assertThat(status(confirmed, 899)).isEqualTo(ICalendar.Status.TENTATIVE);
        assertThat(status(confirmed, 900)).isEqualTo(ICalendar.Status.CONFIRMED);
        assertThat(status(running, 1000)).isEqualTo(ICalendar.Status.CONFIRMED);
        assertThat(status(held.becomes(ReservationState.EXPIRED, 200), 200)).isEqualTo(ICalendar.Status.CANCELLED);
        assertThat(status(confirmed.becomes(ReservationState.CANCELLED, 150), 150))
                .isEqualTo(ICalendar.Status.CANCELLED);
        var failed = confirmed.failed(EndReason.PES_LOST, usd("1.00"), 150);
        assertThat(status(failed, 150)).isEqualTo(ICalendar.Status.CANCELLED);
        assertThat(entry(failed, 150).description()).contains("FAILED").contains("PES_LOST");
        assertThat(entry(failed, 150).description()).doesNotContain("would have fitted");
        assertThat(entry(failed.fitting(new Slot(200, 260)), 150).description())
                .contains("It would have fitted from 1970-01-01T00:03:20Z to 1970-01-01T00:04:20Z");
        assertThat(entry(failed, 150).sequence()).isEqualTo(1);
        assertThat(entry(failed, 150).revisedAt()).isEqualTo(150);
    }

    @Test
    void theEntryOfARunNamesThePesThatItLacks() {
        var running = reservation(Status.confirmed(100)).becomes(ReservationState.RUNNING, 1000);
        var lack = new Part(new Slot(1050, 1100), 2, Optional.of(PeSet.parse("2-3")), 1);
        var losing = running.with(running.placement().with(new Losses(0, 1010, List.of(lack))));

        assertThat(entry(losing, 1010).description())
                .contains("Without 2 PEs (2-3) from 1970-01-01T00:17:30Z to 1970-01-01T00:18:20Z");
        assertThat(entry(losing.becomes(ReservationState.CANCELLED, 1020), 1020).description())
                .doesNotContain("Without");
    }

    @Test
    void theEntryOfARunNamesPesTakenByOthers() {
        var running = reservation(Status.confirmed(100)).becomes(ReservationState.RUNNING, 1000);
        var taken = running.enforced(List.of(), TakenPes.NONE.told(PeSet.parse("2-3"), 1010), 1010);

        assertThat(entry(taken, 1010).description()).contains("Jobs of others have 2 PEs (2-3)");
        assertThat(entry(taken.becomes(ReservationState.CANCELLED, 1020), 1020).description())
                .doesNotContain("Jobs of others");
    }

    @Test
    void theEntryOfARunCompletedEarlyEndsEarly() {
        var running = reservation(Status.confirmed(100)).becomes(ReservationState.RUNNING, 1000);

        assertThat(entry(running.becomes(ReservationState.COMPLETED, 1050), 1050)
                        .slot())
                .isEqualTo(new Slot(1000, 1050));
        assertThat(entry(running.becomes(ReservationState.COMPLETED, 1000), 1000)
                        .slot())
                .isEqualTo(new Slot(1000, 1400));
    }

    @Test
    void anEntryChangesWithTimeWhenItsPlaceBecomesFinal() {
        var confirmed = reservation(Status.confirmed(100));

        assertThat(FeedEntries.changesAt(new BookedReservation.Here(confirmed), 899))
                .hasValue(900);
        assertThat(FeedEntries.changesAt(new BookedReservation.Here(confirmed), 900))
                .isEmpty();
        assertThat(FeedEntries.changesAt(new BookedReservation.Here(reservation(Status.held(200, 100))), 100))
                .isEmpty();
    }

    @Test
    void theEntryOfAReservationAtAnotherBerthShowsItsLastReport() {
        var told = JsonMapper.shared().readTree("""
                {"id":"x1","state":"CONFIRMED","version":3,"updatedAt":"1970-01-01T00:02:00Z","movable":true,
                 "terms":{"readyTime":"1970-01-01T00:10:00Z","deadline":"1970-01-01T01:00:00Z"},
                 "placement":{"start":"1970-01-01T00:20:00Z","end":"1970-01-01T00:30:00Z","pes":1}}""");
        var origin = new Origin(new AccountName("ada"), ServiceClass.STANDARD);
        var id = new ReservationId(ID);
        var there = new ClusterId("there");
        var mirror = new Mirror(
                id, there, origin, "x1", Mirror.Owed.NOTHING, new Mirror.Report(told, 130, true), false, 110);
        var mute = JsonMapper.shared().readTree("""
                {"id":"x1","placement":{"start":"1970-01-01T00:20:00Z","end":"1970-01-01T00:30:00Z"}}""");
        var silent = new Mirror(
                id, there, origin, "x1", Mirror.Owed.NOTHING, new Mirror.Report(mute, 130, true), false, 110);

        assertThat(FeedEntries.of(new BookedReservation.There(mirror), Unit.PE, 0, Optional.empty()))
                .isEqualTo(new Entry(
                        ID + "@reservation.berth",
                        3,
                        120,
                        new Slot(1200, 1800),
                        ICalendar.Status.TENTATIVE,
                        "1 PE on there",
                        """
                        1 PE on there, CONFIRMED
                        Reserved by ada
                        Window: 1970-01-01T00:10:00Z to 1970-01-01T01:00:00Z
                        Reservation 01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21""",
                        Optional.empty()));
        assertThat(FeedEntries.of(new BookedReservation.There(silent), Unit.PE, 0, Optional.empty()))
                .returns(110L, Entry::revisedAt)
                .returns(0, Entry::sequence)
                .returns(ICalendar.Status.CONFIRMED, Entry::status);
    }

    @Test
    void theEntryOfAnOutageLastsUntilItsKnownEnd() {
        var id = Generators.timeBasedEpochGenerator().construct(5_000_700L);
        var open = outage(id, OptionalLong.empty());
        var planned = outage(id, OptionalLong.of(20_000));

        var entry = FeedEntries.of(planned, Unit.PE, 0);
        assertThat(entry)
                .returns(id + "@outage.berth", Entry::uid)
                .returns(5000L, Entry::revisedAt)
                .returns(0, Entry::sequence)
                .returns(new Slot(10_000, 20_000), Entry::slot)
                .returns(ICalendar.Status.CONFIRMED, Entry::status)
                .returns("sp2: 2 PEs out of service", Entry::summary)
                .returns("2 PEs of sp2 out of service\nPEs 6-7\nrack 3; fan", Entry::description);
        assertThat(FeedEntries.of(planned.ended(15_000), Unit.PE, 0))
                .returns(new Slot(10_000, 15_000), Entry::slot)
                .returns(1, Entry::sequence)
                .returns(15_000L, Entry::revisedAt);
        // until the end of the present day, or of the day on which the outage begins
        assertThat(FeedEntries.of(open, Unit.PE, 0).slot()).isEqualTo(new Slot(10_000, DAY));
        assertThat(FeedEntries.of(open, Unit.PE, 3 * DAY).slot()).isEqualTo(new Slot(10_000, 4 * DAY));
        assertThat(FeedEntries.of(open, Unit.PE, -DAY).slot()).isEqualTo(new Slot(10_000, DAY));
        assertThat(FeedEntries.of(open, Unit.PE, 0).description()).endsWith("Until further notice");
        assertThat(FeedEntries.of(open.ended(15_000), Unit.PE, 3 * DAY).slot()).isEqualTo(new Slot(10_000, 15_000));
    }

    @Test
    void entriesCountPesInTheWordOfTheCluster() {
        var one = outage(Generators.timeBasedEpochGenerator().construct(5_000_700L), OptionalLong.of(20_000));

        assertThat(FeedEntries.of(one, new Unit("core"), 0))
                .returns("sp2: 2 cores out of service", Entry::summary)
                .returns("2 cores of sp2 out of service\nCores 6-7\nrack 3; fan", Entry::description);
        assertThat(new Unit("GPU").counted(1)).isEqualTo("1 GPU");
    }

    private static Outage outage(UUID id, OptionalLong to) {
        return new Outage(
                new OutageId(id),
                new ClusterId("sp2"),
                2,
                Optional.of(PeSet.range(6, 8)),
                10_000,
                to,
                Optional.of("rack 3; fan"),
                Optional.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }
}
