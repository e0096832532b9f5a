package berth.projects.web;

import berth.accounts.Account;
import berth.budget.EntryKind;
import berth.engine.ProjectLedger;
import berth.engine.ProjectLedger.Agreement;
import berth.engine.ProjectLedger.Amounts;
import berth.engine.ProjectLedger.Charged;
import berth.engine.ProjectLedger.Entry;
import berth.engine.ProjectLedger.PeSeconds;
import berth.engine.ProjectLedger.Place;
import berth.engine.ProjectLedger.Run;
import berth.http.Csv;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.Page;
import berth.http.Problem;
import berth.http.SignedMoneyBody;
import berth.http.Texts;
import berth.projects.Project;
import berth.projects.Projects;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calls that read what projects were charged, for members of the project and administrators: the ledger, a report, and files. */
@RestController
@RequestMapping("/api/v1/projects/{id}")
class ChargesController {

    private final Projects projects;
    private final ProjectLedger ledger;
    private final InstantSource clock;

    ChargesController(Projects projects, ProjectLedger ledger, InstantSource clock) {
        this.projects = projects;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * An entry of a project's ledger. HOLD and ADJUST add to what is held, RELEASE subtracts from it. CHARGE adds to what is charged,
     * RETURN subtracts from it, because others booked PE-time that the owner had returned. CREDIT adds to what is credited. GRANT adds to what is granted, EXPIRE subtracts from it.
     *
     * @param at when the entry takes effect
     * @param kind how the entry changes the budget
     * @param amount amount of money; less than 0 only for an adjustment; null for a grant in PE-hours
     * @param peHours PE-hours of the reservation, or of a grant in PE-hours; null for a grant in money
     * @param grant name of the grant; null for a reservation
     */
    @Schema(name = "LedgerEntry")
    record EntryBody(
            Instant at,
            EntryKind kind,
            @Nullable SignedMoneyBody amount,
            @Nullable BigDecimal peHours,
            @JsonUnwrapped AgreementBody agreement,
            @Nullable String grant) {

        private static EntryBody of(Entry entry) {
            var agreement = entry.agreement();
            boolean hasHours = agreement.isPresent() || entry.currency().isEmpty();
            return new EntryBody(
                    Texts.instant(entry.place().at()),
                    entry.kind(),
                    Texts.orNull(entry.currency()
                            .map(currency ->
                                    new SignedMoneyBody(entry.amount().toPlainString(), currency.getCurrencyCode()))),
                    hasHours ? Charges.hours(entry.peSeconds()) : null,
                    agreement.map(each -> AgreementBody.of(each, entry.place())).orElse(AgreementBody.NONE),
                    agreement.isPresent() ? null : entry.place().source());
        }
    }

    /**
     * The agreement that an entry follows from.
     *
     * @param cluster the cluster whose event led to the entry; null for a grant
     * @param sequence the sequence of that event; null for a grant
     * @param reservation the reservation that the entry is for; null for a grant
     * @param version version of the reservation after that event, which identifies the agreement; null for a grant
     * @param account the owner of the reservation; null for a grant
     */
    record AgreementBody(
            @Nullable String cluster,
            @Nullable Long sequence,
            @Nullable UUID reservation,
            @Nullable Integer version,
            @Nullable String account) {

        private static final AgreementBody NONE = new AgreementBody(null, null, null, null, null);

        private static AgreementBody of(Agreement agreement, Place place) {
            return new AgreementBody(
                    place.source(),
                    place.sequence(),
                    agreement.reservation().value(),
                    agreement.version(),
                    agreement.owner().value());
        }
    }

    /**
     * The charge and the credit for a reservation that has ended, or what was taken off the charge later because others booked PE-time that
     * the owner had returned: then the price is less than 0.
     *
     * @param at when the reservation ended, or when the amount was taken off
     * @param price price owed for the reservation; less than 0 if it is taken off an earlier charge
     * @param credit amount credited for a breach, or for PEs that the run lost
     * @param peHours PE-hours booked, charged, used and left idle
     */
    @Schema(name = "Charge")
    record ChargeBody(
            Instant at, @JsonUnwrapped ReservedBody run, SignedMoneyBody price, MoneyBody credit, PeHoursBody peHours) {

        private static ChargeBody of(Charged charged) {
            var amounts = charged.amounts();
            return new ChargeBody(
                    Texts.instant(charged.place().at()),
                    ReservedBody.of(charged.run()),
                    SignedMoneyBody.of(amounts.price(), amounts.currency()),
                    credited(amounts),
                    PeHoursBody.of(charged.peSeconds()));
        }
    }

    private static MoneyBody credited(Amounts amounts) {
        return new MoneyBody(
                Charges.money(amounts.credit(), amounts.currency()),
                amounts.currency().getCurrencyCode());
    }

    /**
     * The run of a reservation.
     *
     * @param reservation id of the reservation
     * @param cluster the cluster that the reservation was on
     * @param account the owner of the reservation
     * @param name the client's own label for the reservation
     * @param start the actual start of the run, or the planned one if it never began
     * @param end the planned end
     */
    record ReservedBody(
            UUID reservation,
            String cluster,
            String account,
            @Nullable String name,
            Instant start,
            Instant end) {

        private static ReservedBody of(Run run) {
            return new ReservedBody(
                    run.reservation().value(),
                    run.cluster().value(),
                    run.owner().value(),
                    Texts.orNull(run.name()),
                    Texts.instant(run.start()),
                    Texts.instant(run.end()));
        }
    }

    /**
     * PE-hours of reservations.
     *
     * @param booked PE-hours that were reserved, without those that were lost in outages while the run had begun
     * @param charged PE-hours that count against a budget in PE-hours; less than 0 if they are taken off an earlier charge
     * @param used PE-hours that the runs had from their start to their end
     * @param idle booked − used
     */
    @Schema(name = "ChargedPeHours")
    record PeHoursBody(BigDecimal booked, BigDecimal charged, BigDecimal used, BigDecimal idle) {

        private static PeHoursBody of(PeSeconds time) {
            return new PeHoursBody(
                    Charges.hours(time.booked()),
                    Charges.hours(time.charged()),
                    Charges.hours(time.used()),
                    Charges.hours(time.booked() - time.used()));
        }
    }

    /**
     * Sum of all charges of a period in one currency.
     *
     * @param reservations number of reservations that ended in the period
     * @param price prices owed for them, less what was taken off earlier charges in the period; may be less than 0
     * @param credit amounts credited for breaches and lost PEs
     * @param total price − credit; may be less than 0
     * @param peHours PE-hours booked, charged, used and left idle
     */
    @Schema(name = "ChargeSum")
    record SumBody(
            long reservations, SignedMoneyBody price, MoneyBody credit, SignedMoneyBody total, PeHoursBody peHours) {

        private static SumBody of(ProjectLedger.Sum sum) {
            var amounts = sum.amounts();
            return new SumBody(
                    sum.number(),
                    SignedMoneyBody.of(amounts.price(), amounts.currency()),
                    credited(amounts),
                    SignedMoneyBody.of(amounts.price().subtract(amounts.credit()), amounts.currency()),
                    PeHoursBody.of(sum.peSeconds()));
        }
    }

    /**
     * The charges of a project in a period.
     *
     * @param from start of the period; reservations that ended at this instant are included
     * @param to end of the period; reservations that ended at this instant are not included
     * @param sums sums over the whole period, one for each currency, regardless of paging
     * @param items charges, oldest first
     * @param next the value of {@code after} for the next page; null on the last page
     */
    @Schema(name = "Charges")
    record ChargesBody(
            Instant from,
            Instant to,
            List<SumBody> sums,
            List<ChargeBody> items,
            @Nullable String next) {}

    /** Lists the entries of a project's ledger, oldest first. Their sum is the project's balance. */
    @GetMapping("/ledger")
    Page<EntryBody> listLedger(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        project(id, account);
        int most = Page.limit(limit);
        return Page.of(
                ledger.entries(id, place(after), most + 1),
                most,
                EntryBody::of,
                entry -> Charges.cursor(entry.place()));
    }

    /**
     * Lists what a project was charged and credited for reservations that ended in a period, with the sums.
     *
     * @param from the start of the period, inclusive; if left out, the start of this month in UTC
     * @param to the end of the period, exclusive; now if left out
     */
    @GetMapping("/charges")
    ChargesBody listCharges(
            @PathVariable String id,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        project(id, account);
        var time = time(from, to);
        int most = Page.limit(limit);
        var found = ledger.charges(id, time.from, time.to, place(after), most + 1);
        var page = Page.of(found, most, ChargeBody::of, charged -> Charges.cursor(charged.place()));
        return new ChargesBody(
                Texts.instant(time.from),
                Texts.instant(time.to),
                ledger.sums(id, time.from, time.to).stream().map(SumBody::of).toList(),
                page.items(),
                page.next());
    }

    /**
     * Exports the charges of a period as a CSV file, without paging. The file has a line for each reservation, and one for each amount that
     * was taken off an earlier charge. At its end there is one
     * line for each currency, which begins with {@code sum}: a file without such a line is incomplete.
     *
     * @param from as for {@code listCharges}
     * @param to as for {@code listCharges}
     */
    @GetMapping(path = "/charges.csv", produces = Csv.TYPE)
    void exportCharges(
            @PathVariable String id,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @AuthenticationPrincipal Account account,
            HttpServletResponse response)
            throws IOException {
        project(id, account);
        var time = time(from, to);
        write(response, id + "-charges.csv", out -> {
            Csv.line(out, Charges.COLUMNS);
            ledger.charges(id, time.from, time.to, charged -> Csv.line(out, Charges.line(charged)));
            ledger.sums(id, time.from, time.to).forEach(sum -> Csv.line(out, Charges.line(sum)));
        });
    }

    /**
     * Exports what a project was charged in a month as a file in the columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification.
     * Each reservation has a line for its used PE-hours and a line for its idle PE-hours.
     *
     * @param month a month in UTC, such as 2027-01
     */
    @GetMapping(path = "/focus.csv", produces = Csv.TYPE)
    void exportFocus(
            @PathVariable String id,
            @RequestParam @Nullable String month,
            @AuthenticationPrincipal Account account,
            HttpServletResponse response)
            throws IOException {
        var project = project(id, account);
        var wanted = month(month);
        var focus = new Focus(project, wanted);
        write(response, "%s-focus-%s.csv".formatted(id, wanted), out -> {
            Csv.line(out, Focus.COLUMNS);
            ledger.charges(
                    id,
                    focus.begin(),
                    focus.end(),
                    charged -> focus.lines(charged).forEach(line -> Csv.line(out, line)));
        });
    }

    private interface Content {
        void to(Writer out) throws IOException;
    }

    private static void write(HttpServletResponse response, String name, Content content) throws IOException {
        response.setContentType(Csv.TYPE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"%s\"".formatted(name));
        try (var out = new BufferedWriter(new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8))) {
            content.to(out);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private record Time(long from, long to) {}

    private Time time(@Nullable String from, @Nullable String to) {
        var fields = new Fields();
        long now = clock.instant().getEpochSecond();
        long begin = fields.instantUp("from", from)
                .orElseGet(() -> YearMonth.from(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC))
                        .atDay(1)
                        .atStartOfDay()
                        .toEpochSecond(ZoneOffset.UTC));
        long end = fields.instantUp("to", to).orElse(now + 1);
        fields.check();
        if (end < begin) {
            fields.malformed("to", to, "must not be earlier than from. If it is left out, it is now.");
        }
        fields.check();
        return new Time(begin, end);
    }

    private static YearMonth month(@Nullable String given) {
        var fields = new Fields();
        try {
            var month = YearMonth.parse(fields.required("month", given, "2000-01"));
            fields.check();
            if (month.getYear() >= 1970 && month.getYear() <= 9998) {
                return month;
            }
        } catch (DateTimeException e) {
            // reported below
        }
        fields.malformed("month", given, "must be a month, such as 2027-01");
        fields.check();
        throw new IllegalStateException();
    }

    private static Optional<Place> place(@Nullable String after) {
        return Optional.ofNullable(after)
                .map(cursor -> Charges.place(cursor).orElseThrow(() -> Page.badCursor(cursor)));
    }

    private Project project(String id, Account account) {
        return projects.find(id, account).orElseThrow(() -> Problem.notFound("project", id));
    }
}
