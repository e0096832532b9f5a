package berth.projects.web;

import berth.budget.BudgetUnit;
import berth.engine.ProjectLedger.Charged;
import berth.engine.ProjectLedger.Place;
import berth.engine.ProjectLedger.Sum;
import berth.http.Csv;
import berth.http.Texts;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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
        return List.of(
                Texts.instant(charged.at()).toString(),
                charged.reservation().toString(),
                charged.cluster().value(),
                Csv.text(charged.owner().value()),
                Csv.text(charged.name().orElse("")),
                Texts.instant(charged.start()).toString(),
                Texts.instant(charged.end()).toString(),
                charged.currency().getCurrencyCode(),
                money(charged.price(), charged.currency()),
                money(charged.credit(), charged.currency()),
                hours(charged.booked()).toPlainString(),
                hours(charged.charged()).toPlainString(),
                hours(charged.used()).toPlainString(),
                hours(charged.booked() - charged.used()).toPlainString());
    }

    static List<String> line(Sum sum) {
        return List.of(
                "sum",
                String.valueOf(sum.number()),
                "",
                "",
                "",
                "",
                "",
                sum.currency().getCurrencyCode(),
                money(sum.price(), sum.currency()),
                money(sum.credit(), sum.currency()),
                hours(sum.booked()).toPlainString(),
                hours(sum.charged()).toPlainString(),
                hours(sum.used()).toPlainString(),
                hours(sum.booked() - sum.used()).toPlainString());
    }

    static String cursor(Place place) {
        return "%d~%d~%d~%s".formatted(place.at(), place.sequence(), place.number(), place.place());
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
