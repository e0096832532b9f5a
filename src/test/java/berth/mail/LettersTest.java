package berth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import berth.approval.Approval;
import berth.approval.Approval.Answer;
import berth.approval.Approval.Ask;
import berth.approval.ApprovalRule;
import berth.approval.Side;
import berth.cluster.Unit;
import berth.database.DataDirectory;
import berth.database.InstanceMode;
import berth.database.Seal;
import berth.engine.Records.RecordedEvent.Whole;
import berth.http.ICalendar;
import berth.reservation.Assignment;
import berth.reservation.Charge;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import biweekly.Biweekly;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Currency;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LettersTest {

    private static final ClusterId CLUSTER = new ClusterId("demo");
    private static final UUID ID = UUID.fromString("01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21");
    private static final long START = Instant.parse("2027-01-31T14:00:00Z").getEpochSecond();
    private static final AccountName ADA = new AccountName("ada");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Links links;

    private Instant now = Instant.parse("2027-01-30T09:30:00Z");

    @BeforeEach
    void makeLinks() throws IOException {
        try (var data = new DataDirectory(directory)) {
            links = new Links(new Seal(data, "", InstanceMode.ONE), "https://berth.example.org/", () -> now);
        }
    }

    private static Mailbox mailbox(Set<MailKind> kinds, String zone) {
        var wish = new Mailbox.Wish(Optional.of("ada@example.org"), kinds, 3600, OptionalInt.empty(), ZoneId.of(zone));
        return Mailbox.none(ADA).become(wish, true);
    }

    private static Reservation reservation(String name, String project) {
        return new Reservation(
                new ReservationId(ID),
                CLUSTER,
                new Origin(ADA, ServiceClass.STANDARD, new ClientLabels(Optional.of(name), Optional.of(project))),
                new Terms(
                        new Window(START, START + 7200),
                        3600,
                        List.of(new Shape(8, 3600)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Fixing.BY_NOTICE,
                        QosScenario.INTERVAL),
                Placement.of(List.of(Part.whole(new Slot(START, START + 3600), 8)), START),
                Charge.of(new Money(BigDecimal.ONE, Currency.getInstance("EUR"))),
                Status.confirmed(START - 100_000),
                Optional.empty());
    }

    private Letter letter(Reservation reservation, Event.Type type, Mailbox mailbox) {
        return letter(reservation, type, mailbox, Unit.PE);
    }

    private Letter letter(Reservation reservation, Event.Type type, Mailbox mailbox, Unit unit) {
        var event = new Whole(CLUSTER, 17, new ReservationEvent(type, reservation, START - 90_000));
        var notice = Notice.of(event, unit, mailbox.wish().zone(), links).orElseThrow();
        return new Letters(links).about("evt_demo_17", mailbox, Kinds.of(event).orElseThrow(), event, unit, notice);
    }

    private static final Set<MailKind> ALL = EnumSet.allOf(MailKind.class);

    @Test
    void aLetterAndItsCalendarEntryCountPesInTheWordOfTheCluster() {
        var letter = letter(reservation("my run", "climate"), Event.Type.RELEASED, mailbox(ALL, "Z"), new Unit("core"));

        assertThat(letter.subject()).isEqualTo("Released: my run, 8 cores on demo");
        assertThat(letter.text()).contains("has released its cores.", "Cores: 8\n");
        assertThat(letter.calendar().orElseThrow().summary()).isEqualTo("my run · 8 cores on demo · climate");
    }

    @Test
    void aLetterThatAsksForApprovalSaysWhy() {
        var rule = new ApprovalRule(
                OptionalInt.of(4),
                OptionalInt.of(500),
                Optional.of(new BigDecimal("0.50")),
                OptionalLong.of(129_600),
                OptionalLong.of(3600),
                Optional.of(ServiceClass.STANDARD));
        var asked = new Approval(
                List.of(
                        Ask.of(Side.PROJECT, rule),
                        Ask.ofPolicy("It is large."),
                        new Ask(
                                Side.CLUSTER,
                                Optional.of(rule),
                                Optional.empty(),
                                Optional.of(new Answer(ADA, START - 95_000, Optional.empty())))),
                START - 1000);

        var letter = letter(
                reservation("my run", "climate").asking(asked),
                Event.Type.APPROVAL_ASKED,
                mailbox(ALL, "Z"),
                new Unit("core"));

        assertThat(letter.text().lines().filter(line -> line.startsWith("Approval")))
                .containsExactly(
                        "Approval by: the owners of the project: more than 4 cores, more than 500 core-hours,"
                                + " costs more than 0.50 EUR, longer than 1d12h, asked for less than 1h ahead, class standard",
                        "Approval by: the cluster's approvers, by the site's policy: It is large.");
    }

    @Test
    void aLetterSaysWhatHasHappenedInTheTimeZoneOfThePerson() {
        var letter = letter(reservation("my run", "climate"), Event.Type.CONFIRMED, mailbox(ALL, "Europe/Berlin"));

        assertThat(letter.subject()).isEqualTo("Confirmed: my run, 8 PEs on demo");
        assertThat(letter.text())
                .contains(
                        "It starts on Sun 31 Jan 2027, 15:00 (Europe/Berlin).",
                        "Price: 1.00 EUR\n",
                        "Project: climate\n",
                        "Open: https://berth.example.org/#/reservation?id=" + ID);
        assertThat(letter.html()).contains("Sun 31 Jan 2027, 15:00 (Europe/Berlin)");
    }

    @Test
    void namesOfPeopleBecomeNeitherMarkupNorLines() {
        var hostile = "x\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script> \u202egnp.exe \"'&";

        var letter = letter(
                reservation(hostile, "p\nq").becomes(ReservationState.CANCELLED, START - 50),
                Event.Type.CANCELLED,
                mailbox(ALL, "UTC"));

        assertThat(letter.subject())
                .startsWith("Cancelled: x  Bcc: all@example.org")
                .doesNotContain("\r", "\n", "\u202e");
        assertThat(letter.text().lines()).noneMatch(line -> line.startsWith("Bcc:") || line.equals("q"));
        assertThat(letter.html())
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script", "\u202e", "\n");
        var calendar = ICalendar.message(
                "berth@example.org", letter.to(), letter.calendar().orElseThrow());
        var read = Biweekly.parse(new String(calendar, StandardCharsets.UTF_8)).first();
        assertThat(read.getMethod().getValue()).isEqualTo("CANCEL");
        assertThat(read.getEvents()).singleElement().satisfies(entry -> {
            assertThat(entry.getUid().getValue()).isEqualTo(ID + "@reservation.berth");
            assertThat(entry.getOrganizer().getEmail()).isEqualTo("berth@example.org");
            assertThat(entry.getAttendees()).hasSize(1);
        });
    }

    @Test
    void aSubjectIsShort() {
        var letter = letter(reservation("𝕏".repeat(200), "p"), Event.Type.CONFIRMED, mailbox(ALL, "UTC"));

        assertThat(letter.subject().codePointCount(0, letter.subject().length()))
                .isEqualTo(150);
        assertThat(letter.subject()).endsWith("𝕏…");
    }

    @Test
    void onlyAPersonWhoGetsConfirmationsGetsEntriesForTheCalendar() {
        var cancelled = reservation("run", "p").becomes(ReservationState.CANCELLED, START - 50);
        var handedOver = reservation("run", "p")
                .assigned(new Assignment(new AccountName("bob"), Optional.of(ADA), ADA), START - 60);

        assertThat(letter(cancelled, Event.Type.CANCELLED, mailbox(ALL, "UTC")).calendar())
                .hasValueSatisfying(entry -> assertThat(ICalendar.method(entry)).isEqualTo("CANCEL"));
        assertThat(letter(handedOver, Event.Type.TRANSFERRED, mailbox(ALL, "UTC"))
                        .calendar())
                .hasValueSatisfying(entry -> assertThat(ICalendar.method(entry)).isEqualTo("CANCEL"));
        assertThat(letter(cancelled, Event.Type.CANCELLED, mailbox(MailKind.STANDARD, "UTC"))
                        .calendar())
                .isEmpty();
        assertThat(letter(reservation("run", "p"), Event.Type.STARTING, mailbox(ALL, "UTC"))
                        .calendar())
                .isEmpty();
    }

    @Test
    void theSameNewsHasTheSameIdForAnAccountAndAnotherForOthers() {
        assertThat(Letters.id("evt_demo_17", "ada")).isEqualTo(Letters.id("evt_demo_17", "ada"));
        assertThat(Letters.id("evt_demo_17", "ada")).isNotEqualTo(Letters.id("evt_demo_17", "bob"));
    }

    @Test
    void aLinkOpensOnlyWhatItWasMadeFor() {
        var proof = links.proof(ADA, "ada@example.org").replaceAll(".*=", "");
        var off = links.off(ADA, MailKind.MOVED).replaceAll(".*=", "");

        assertThat(links.proof(proof)).contains(new Links.Proof(ADA, "ada@example.org"));
        assertThat(links.off(off)).contains(new Links.Off(ADA, MailKind.MOVED));
        assertThat(links.off(proof)).isEmpty();
        assertThat(links.proof(off)).isEmpty();
        assertThat(links.proof(proof.substring(0, 50) + "A" + proof.substring(51)))
                .isEmpty();
        assertThat(links.proof("")).isEmpty();
        assertThat(links.proof("?")).isEmpty();
        now = now.plus(Duration.ofHours(24));
        assertThat(links.proof(proof)).isEmpty();
        assertThat(links.off(off)).isPresent();
    }

    @Test
    void theLetterWithALinkContainsNothingThatAnybodyWrote() {
        var letter = new Letters(links).proof("proof.1", Mailbox.none(ADA), "bob@example.org");

        assertThat(letter.to()).isEqualTo("bob@example.org");
        assertThat(letter.text()).contains("https://berth.example.org/#/mail?proof=");
        assertThat(letter.unsubscribe()).isEmpty();
    }

    @Test
    void everyKindOfNewsHasWords() {
        for (var type : Event.Type.values()) {
            var moved = Optional.of(new Event.Move(List.of(Part.whole(new Slot(5, 10), 8)), Event.MoveReason.PES_LOST));
            var event = new ReservationEvent(
                    type,
                    reservation("run", "p").assigned(new Assignment(ADA, Optional.of(ADA), ADA), START),
                    START,
                    type == Event.Type.MOVED ? moved : Optional.empty(),
                    Optional.empty());
            var isOfReservation = Kinds.of(new Whole(CLUSTER, 1, event))
                    .filter(kind -> kind != MailKind.BUDGET_LOW)
                    .isPresent();
            if (isOfReservation && type != Event.Type.REJECTED && type != Event.Type.WAIT_EXPIRED) {
                assertThat(Notice.of(new Whole(CLUSTER, 1, event), Unit.PE, ZoneOffset.UTC, links))
                        .as("%s", type)
                        .hasValueSatisfying(
                                notice -> assertThat(notice.sentences()).isNotEmpty());
            }
        }
    }
}
