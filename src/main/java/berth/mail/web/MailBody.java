package berth.mail.web;

import berth.http.Fields;
import berth.http.Problem;
import berth.http.Texts;
import berth.mail.MailKind;
import berth.mail.Mailbox;
import berth.mail.Mailbox.Wish;
import berth.reservation.Lead;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an account gets mail, and of what.
 *
 * @param address the mail address; no mail, if null. An address that the account sets itself gets only a link, until somebody follows the
 *     link and presses the button there
 * @param kinds the kinds of news to send; if left out, all except CONFIRMED and ENDS_SOON. With CONFIRMED, mail has entries for a calendar
 * @param lead how long ahead mail announces starts and ends, a minute to thirty days; an hour if left out
 * @param dailyAt the hour of the day at which the news of a day comes in one mail; if left out, mail comes at once. Announcements always do
 * @param zone the time zone of that hour and of the times in mail; UTC if left out
 */
@Schema(name = "Mail", example = "{\"address\":\"alice@example.org\",\"zone\":\"Europe/Berlin\"}")
record MailBody(
        @Nullable String address,
        @Nullable List<@Nullable MailKind> kinds,
        @Nullable String lead,
        @Nullable Integer dailyAt,
        @Nullable String zone) {

    private static final String UTC = "UTC";
    private static final int HOURS = 24;

    static MailBody of(Wish wish) {
        return new MailBody(
                Texts.orNull(wish.address()),
                kinds(wish.kinds()),
                Texts.duration(wish.lead()),
                wish.dailyAt().isPresent() ? wish.dailyAt().getAsInt() : null,
                zone(wish.zone()));
    }

    static List<@Nullable MailKind> kinds(Set<MailKind> kinds) {
        return kinds.stream().sorted().<@Nullable MailKind>map(kind -> kind).toList();
    }

    static String zone(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? UTC : zone.getId();
    }

    /**
     * Reads what the account chooses.
     *
     * @throws Problem naming every field that is wrong
     */
    Wish toWish() {
        var fields = new Fields(this);
        if (address != null && !Mailbox.isAddress(address)) {
            fields.malformed(
                    "address",
                    address,
                    "must be one mail address of at most %d ASCII characters, such as alice@example.org"
                            .formatted(Mailbox.MAX_ADDRESS));
        }
        var chosen = EnumSet.noneOf(MailKind.class);
        if (kinds == null) {
            chosen.addAll(MailKind.STANDARD);
        } else {
            kinds.stream().filter(Objects::nonNull).forEach(chosen::add);
        }
        long ahead = fields.durationUp("lead", lead).orElse(Mailbox.STANDARD_LEAD);
        if (!fields.hasErrors() && (ahead < Lead.SHORTEST || ahead > Lead.LONGEST)) {
            fields.invalid("lead", lead, "must lie between PT1M and P30D");
        }
        if (dailyAt != null && (dailyAt < 0 || dailyAt >= HOURS)) {
            fields.invalid("dailyAt", dailyAt, "must be an hour from 0 to 23");
        }
        var at = zone == null || zone.equals(UTC)
                ? ZoneOffset.UTC
                : Texts.zone(zone).orElse(null);
        if (at == null) {
            fields.malformed("zone", zone, Texts.NO_ZONE);
        }
        fields.check();
        return new Wish(
                Optional.ofNullable(address),
                chosen,
                ahead,
                dailyAt == null ? OptionalInt.empty() : OptionalInt.of(dailyAt),
                at == null ? ZoneOffset.UTC : at);
    }
}
