package berth.mail;

import berth.booking.BookedReservation;
import berth.cluster.Unit;
import berth.engine.Records.RecordedEvent.Whole;
import berth.feeds.FeedEntries;
import berth.http.ICalendar;
import berth.mail.Notice.Fact;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.util.HtmlUtils;

/** Writes letters: as plain text and as HTML with the same words. Names that people chose become neither markup nor lines of a header. */
final class Letters {

    private static final int MAX_SUBJECT = 150;

    private static final String BOX =
            "font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1a1a1a;max-width:36em";

    private final Links links;

    Letters(Links links) {
        this.links = links;
    }

    /** A paragraph, a list of facts, or a link. */
    private sealed interface Block {
        record Heading(String text) implements Block {}

        record Paragraph(String text) implements Block {}

        record Facts(List<Fact> facts) implements Block {}

        record Link(String text, String url) implements Block {}

        record Footer(String text, String action, String url) implements Block {}
    }

    /** Returns the letter about one event. */
    Letter about(String id, Mailbox mailbox, MailKind kind, Whole event, Unit unit, Notice notice) {
        var blocks = new ArrayList<Block>(blocks(notice));
        blocks.add(new Block.Footer(
                "Berth sends you mail about %s.".formatted(kind.subject()),
                "Switch it off",
                links.off(mailbox.account(), kind)));
        return letter(
                id,
                mailbox,
                notice.headline(),
                blocks,
                calendar(mailbox, event, unit),
                Optional.of(links.offByOneClick(mailbox.account(), kind)));
    }

    private static List<Block> blocks(Notice notice) {
        return Stream.of(
                        notice.sentences().stream().map(Block.Paragraph::new),
                        Stream.of(new Block.Facts(notice.facts()), new Block.Link("Open", notice.url())))
                .flatMap(some -> some)
                .map(Block.class::cast)
                .toList();
    }

    /** Returns one letter about several events. */
    Letter together(String id, Mailbox mailbox, List<Notice> notices) {
        var blocks = new ArrayList<Block>();
        for (var notice : notices) {
            blocks.add(new Block.Heading(notice.headline()));
            notice.sentences().forEach(sentence -> blocks.add(new Block.Paragraph(sentence)));
            blocks.add(new Block.Link("Open", notice.url()));
        }
        blocks.add(new Block.Footer(
                "Berth sends you the news of your reservations.", "Choose what it sends", links.settings()));
        return letter(
                id,
                mailbox,
                "%d news of your reservations".formatted(notices.size()),
                blocks,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the letter with the link that proves an address. It contains nothing that anybody has written. */
    Letter proof(String id, Mailbox mailbox, String address) {
        var blocks = List.<Block>of(
                new Block.Paragraph(
                        "Somebody entered this address for mail from the account \"%s\" of Berth at %s. If that was you, open this link and press the button there."
                                .formatted(mailbox.account(), links.service())),
                new Block.Link("Use this address", links.proof(mailbox.account(), address)),
                new Block.Paragraph("If not, do nothing: Berth sends nothing else here. The link works for 24 hours."));
        return new Letter(
                id, address, "Is this your address?", text(blocks), html(blocks), Optional.empty(), Optional.empty());
    }

    private Letter letter(
            String id,
            Mailbox mailbox,
            String subject,
            List<Block> blocks,
            Optional<ICalendar.Entry> calendar,
            Optional<String> unsubscribe) {
        return new Letter(
                id,
                mailbox.proved().orElseThrow(),
                subject(subject),
                text(blocks),
                html(blocks),
                calendar,
                unsubscribe);
    }

    /** Whether the letter about an event would have an entry for the person's calendar. */
    boolean changesCalendar(Mailbox mailbox, Whole event) {
        return calendar(mailbox, event, Unit.PE).isPresent();
    }

    /** Returns the entry for the person's calendar, if the event changes it and the person gets its beginning. */
    private Optional<ICalendar.Entry> calendar(Mailbox mailbox, Whole event, Unit unit) {
        return switch (event.event()) {
            case ReservationEvent about
            when mailbox.gets(MailKind.CONFIRMED) ->
                switch (about.type()) {
                    case CONFIRMED,
                            APPROVED,
                            RECEIVED,
                            RENEGOTIATED,
                            ACCEPTED,
                            EXTENDED,
                            MOVED,
                            CANCELLED,
                            APPROVAL_DECLINED,
                            EXPIRED,
                            FAILED,
                            RELEASED -> Optional.of(entry(about, unit));
                    case TRANSFERRED -> Optional.of(entry(about, unit).cancelled());
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private ICalendar.Entry entry(ReservationEvent about, Unit unit) {
        return FeedEntries.of(
                new BookedReservation.Here(about.reservation()), unit, about.at(), Optional.of(links.service()));
    }

    /** Returns an id for the same news to the same account. */
    static String id(String event, String account) {
        return event + "." + UUID.nameUUIDFromBytes(account.getBytes(StandardCharsets.UTF_8));
    }

    // ---- forms

    private static String text(List<Block> blocks) {
        return blocks.stream()
                .map(block -> switch (block) {
                    case Block.Heading(var text) -> line(text) + "\n";
                    case Block.Paragraph(var text) -> line(text) + "\n\n";
                    case Block.Facts(var facts) ->
                        facts.stream()
                                .map(fact -> "%s: %s\n".formatted(fact.label(), line(fact.value())))
                                .collect(Collectors.joining("", "", "\n"));
                    case Block.Link(var text, var url) -> "%s: %s\n\n".formatted(text, url);
                    case Block.Footer(var text, var action, var url) ->
                        "-- \n%s\n%s: %s\n".formatted(text, action, url);
                })
                .collect(Collectors.joining());
    }

    private static String html(List<Block> blocks) {
        return blocks.stream()
                .map(block -> switch (block) {
                    case Block.Heading(var text) ->
                        "<h3 style=\"font-size:15px;margin:1.5em 0 0\">%s</h3>".formatted(escaped(text));
                    case Block.Paragraph(var text) -> "<p>%s</p>".formatted(escaped(text));
                    case Block.Facts(var facts) ->
                        facts.stream()
                                .map(fact ->
                                        "<tr><td style=\"color:#666;padding:2px 16px 2px 0\">%s</td><td style=\"padding:2px 0\">%s</td></tr>"
                                                .formatted(fact.label(), escaped(fact.value())))
                                .collect(Collectors.joining(
                                        "", "<table style=\"font-size:15px;border-collapse:collapse\">", "</table>"));
                    case Block.Link(var text, var url) ->
                        "<p><a href=\"%s\">%s</a></p>".formatted(escaped(url), escaped(text));
                    case Block.Footer(var text, var action, var url) ->
                        "<p style=\"color:#666;font-size:13px;border-top:1px solid #ddd;padding-top:8px\">%s <a href=\"%s\">%s</a></p>"
                                .formatted(escaped(text), escaped(url), escaped(action));
                })
                .collect(Collectors.joining(
                        "",
                        "<!doctype html><html lang=\"en\"><body><div style=\"%s\">".formatted(BOX),
                        "</div></body></html>"));
    }

    private static String escaped(String text) {
        return HtmlUtils.htmlEscape(line(text), "UTF-8");
    }

    private static String subject(String text) {
        var line = line(text);
        return line.codePointCount(0, line.length()) <= MAX_SUBJECT ? line : Excerpt.of(line, MAX_SUBJECT - 1) + "…";
    }

    /** Returns a text as one line, without characters that end a line or turn the direction of what follows. */
    private static String line(String text) {
        return text.codePoints()
                .map(character -> Character.isISOControl(character)
                                || character >= 0x2028 && character <= 0x202e
                                || character >= 0x2066 && character <= 0x2069
                        ? ' '
                        : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
