package berth.reports;

import berth.engine.ReportRecords.Booking;
import berth.engine.ReportRecords.Earned;
import berth.engine.ReportRecords.Scope;
import berth.http.Csv;
import berth.http.CsvBody;
import berth.http.MoneyBody;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.SignedMoneyBody;
import berth.http.Texts;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up PE-hours, reservations and money by account. */
final class OwnersReport {

    /** The largest number of accounts to add up. */
    static final int MAX_OWNERS = 100_000;

    private final Scope scope;
    private final long now;
    private final Map<String, Tally> owners = new HashMap<>();

    OwnersReport(Scope scope, long now) {
        this.scope = scope;
        this.now = now;
    }

    private static final class Tally {
        private long booked;
        private long used;
        private long reservations;
        private final Amounts amounts = new Amounts();
    }

    void add(Booking booking) {
        long until = Math.min(booking.until(), now);
        long booked = 0;
        long used = 0;
        for (var part : booking.parts()) {
            if (part.slot().overlaps(scope.range())) {
                var slot = part.slot().and(scope.range());
                booked += slot.duration() * part.pes();
                used += Math.max(0, Math.min(slot.end(), until) - slot.start()) * part.pes();
            }
        }
        if (booked > 0) {
            var tally = tally(booking.owner().value());
            tally.booked += booked;
            tally.used += used;
            tally.reservations += booking.isJob() ? 0 : 1;
        }
    }

    void add(Earned earned) {
        tally(earned.group().orElseThrow()).amounts.add(earned.currency(), earned.price(), earned.credit());
    }

    private Tally tally(String owner) {
        var tally = owners.computeIfAbsent(owner, _ -> new Tally());
        if (owners.size() > MAX_OWNERS) {
            throw tooMany();
        }
        return tally;
    }

    static Problem tooMany() {
        return Problem.field(
                ProblemCode.MALFORMED,
                "from",
                null,
                "makes the time contain more than %d accounts; ask for a shorter time, one cluster or one project"
                        .formatted(MAX_OWNERS));
    }

    /**
     * The accounts with the most booked PE-hours in a period.
     *
     * @param from start of the period
     * @param to end of the period
     * @param completeFrom the time from which all ended reservations are still in the tables; figures of earlier times are too low. Null if
     *     nothing has been deleted
     * @param number the number of all accounts with figures in the period
     * @param owners the figures of each account, the most booked PE-hours first
     */
    @Schema(name = "OwnerReport")
    record OwnersBody(Instant from, Instant to, @Nullable Instant completeFrom, int number, List<OwnerBody> owners)
            implements CsvBody {

        @Override
        public List<String> columns() {
            return List.of(
                    "owner", "pe_hours_booked", "pe_hours_used", "reservations", "currency", "revenue", "credits");
        }

        /** An account with several currencies has several lines, with its PE-hours on the first. */
        @Override
        public Stream<List<String>> lines() {
            return owners.stream().flatMap(OwnerBody::lines);
        }
    }

    /**
     * The figures of an account.
     *
     * @param owner the name of the account
     * @param booked PE-hours that were reserved or taken by batch jobs, including the rest of a run that ended early
     * @param used PE-hours that runs and batch jobs have had until now
     * @param reservations the number of reservations with PE-hours in the period
     * @param revenue prices owed for the reservations that ended, less what was taken off earlier ones, one amount for each currency
     * @param credits credits for failures and for lost PEs, one amount for each currency
     */
    @Schema(name = "ReportedOwner")
    record OwnerBody(
            String owner,
            BigDecimal booked,
            BigDecimal used,
            long reservations,
            List<SignedMoneyBody> revenue,
            List<MoneyBody> credits) {

        private Stream<List<String>> lines() {
            var name = Csv.text(owner);
            if (revenue.isEmpty()) {
                return Stream.of(List.of(
                        name, booked.toPlainString(), used.toPlainString(), String.valueOf(reservations), "", "", ""));
            }
            return revenue.stream().map(sum -> {
                boolean isFirst = sum.equals(revenue.getFirst());
                return List.of(
                        name,
                        isFirst ? booked.toPlainString() : "",
                        isFirst ? used.toPlainString() : "",
                        isFirst ? String.valueOf(reservations) : "",
                        sum.currency(),
                        sum.amount(),
                        Amounts.amount(credits, sum.currency()));
            });
        }
    }

    OwnersBody body(int limit, @Nullable Instant completeFrom) {
        var most = owners.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Tally>>comparingLong(entry -> -entry.getValue().booked)
                        .thenComparing(Map.Entry::getKey))
                .limit(limit)
                .map(entry -> body(entry.getKey(), entry.getValue()))
                .toList();
        return new OwnersBody(
                Texts.instant(scope.range().start()),
                Texts.instant(scope.range().end()),
                completeFrom,
                owners.size(),
                most);
    }

    private static OwnerBody body(String owner, Tally tally) {
        return new OwnerBody(
                owner,
                Amounts.hours(tally.booked),
                Amounts.hours(tally.used),
                tally.reservations,
                tally.amounts.revenue(),
                tally.amounts.credits());
    }
}
