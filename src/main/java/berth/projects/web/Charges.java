package berth.projects.web;

import berth.budget.BudgetUnit;
import berth.engine.ProjectLedger.Amounts;
import berth.engine.ProjectLedger.Charged;
import berth.engine.ProjectLedger.PeSeconds;
import berth.engine.ProjectLedger.Place;
import berth.engine.ProjectLedger.Sum;
import berth.http.Csv;
import berth.http.Texts;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes charges as lines of a CSV file, and cursors into the list of charges. */
final class Charges {

    static final List<String> COLUMNS = List.of(
            "ended_at",
            "reservation",
            "cluster",
            "account",
            "name",
            "start",
            "end",
            "currency",
            "price",
            "credit",
            "pe_hours_booked",
            "pe_hours_charged",
            "pe_hours_used",
            "pe_hours_idle");

    private static final Pattern CURSOR =
            Pattern.compile("(\\d{1,12})~(-?\\d{1,18})~(\\d{1,6})~([A-Za-z0-9._-]{1,63})");

    private Charges() {}

    static BigDecimal hours(long peSeconds) {
        return BudgetUnit.PE_HOURS.shown(BigDecimal.valueOf(peSeconds));
    }

    static String money(BigDecimal amount, Currency currency) {
        return new BudgetUnit.InMoney(currency).shown(amount).toPlainString();
    }

    static List<String> line(Charged charged) {
        var run = charged.run();
        return line(
                Stream.of(
                        Texts.instant(charged.place().at()).toString(),
                        run.reservation().toString(),
                        run.cluster().value(),
                        Csv.text(run.owner().value()),
                        Csv.text(run.name().orElse("")),
                        Texts.instant(run.start()).toString(),
                        Texts.instant(run.end()).toString()),
                charged.amounts(),
                charged.peSeconds());
    }

    static List<String> line(Sum sum) {
        return line(Stream.of("sum", String.valueOf(sum.number()), "", "", "", "", ""), sum.amounts(), sum.peSeconds());
    }

    private static List<String> line(Stream<String> heads, Amounts amounts, PeSeconds peSeconds) {
        var figures = Stream.of(
                amounts.currency().getCurrencyCode(),
                money(amounts.price(), amounts.currency()),
                money(amounts.credit(), amounts.currency()),
                hours(peSeconds.booked()).toPlainString(),
                hours(peSeconds.charged()).toPlainString(),
                hours(peSeconds.used()).toPlainString(),
                hours(peSeconds.booked() - peSeconds.used()).toPlainString());
        return Stream.concat(heads, figures).toList();
    }

    static String cursor(Place place) {
        return "%d~%d~%d~%s".formatted(place.at(), place.sequence(), place.number(), place.source());
    }

    static Optional<Place> place(String cursor) {
        var parts = CURSOR.matcher(cursor);
        return parts.matches()
                ? Optional.of(new Place(
                        Long.parseLong(parts.group(1)),
                        parts.group(4),
                        Long.parseLong(parts.group(2)),
                        Integer.parseInt(parts.group(3))))
                : Optional.empty();
    }
}
