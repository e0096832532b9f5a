package berth.http;

import berth.time.Slot;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Writes calendars in the format of RFC 5545: UTF-8, times in UTC, lines of at most 75 octets that end with CR and LF. The output depends
 * only on the arguments, not on the time or anything else.
 */
public final class ICalendar {

    public static final String TYPE = "text/calendar";

    /** How often calendar programs are asked to look for changes; a program may ignore this. */
    private static final String EVERY = "PT15M";

    private static final int MAX_OCTETS = 75;
    private static final byte[] FOLD = {'\r', '\n', ' '};
    private static final byte[] END = {'\r', '\n'};

    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ICalendar() {}

    /** Status of an entry. */
    public enum Status {
        TENTATIVE,
        CONFIRMED,
        CANCELLED
    }

    /**
     * An entry of a calendar.
     *
     * @param uid globally unique id that never changes
     * @param sequence how often the entry has changed
     * @param revisedAt when it last changed, seconds since the epoch
     * @param slot time of the entry
     * @param status status of the entry
     * @param summary one line
     * @param description text of any number of lines
     * @param url address with more information
     */
    public record Entry(
            String uid,
            int sequence,
            long revisedAt,
            Slot slot,
            Status status,
            String summary,
            String description,
            Optional<String> url) {

        /** Returns the same entry as one that its reader no longer has. */
        public Entry cancelled() {
            return new Entry(uid, sequence, revisedAt, slot, Status.CANCELLED, summary, description, url);
        }
    }

    /**
     * Writes a calendar.
     *
     * @param name name that calendar programs display
     * @param description further text about the calendar
     */
    public static byte[] write(String name, Optional<String> description, List<Entry> entries) {
        var calendar = new ICalendar();
        calendar.begin();
        // the properties of RFC 7986, and the older ones that some programs still read instead
        calendar.text("NAME", name);
        calendar.text("X-WR-CALNAME", name);
        description.ifPresent(text -> {
            calendar.text("DESCRIPTION", text);
            calendar.text("X-WR-CALDESC", text);
        });
        calendar.line("REFRESH-INTERVAL;VALUE=DURATION:" + EVERY);
        calendar.line("X-PUBLISHED-TTL:" + EVERY);
        entries.forEach(entry -> calendar.write(entry, List.of()));
        calendar.line("END:VCALENDAR");
        return calendar.out.toByteArray();
    }

    /**
     * Writes a message that makes the calendar of a person follow an entry (RFC 5546): a request, or a cancellation if the entry is cancelled.
     *
     * @param organizer the mail address from which the message comes
     * @param attendee the mail address of the person
     */
    public static byte[] message(String organizer, String attendee, Entry entry) {
        var calendar = new ICalendar();
        calendar.begin();
        calendar.line("METHOD:" + method(entry));
        calendar.write(
                entry,
                List.of(
                        "ORGANIZER:mailto:" + organizer,
                        "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:" + attendee));
        calendar.line("END:VCALENDAR");
        return calendar.out.toByteArray();
    }

    /** Returns the method of the message about an entry. */
    public static String method(Entry entry) {
        return entry.status() == Status.CANCELLED ? "CANCEL" : "REQUEST";
    }

    private void begin() {
        line("BEGIN:VCALENDAR");
        line("VERSION:2.0");
        line("PRODID:-//Berth//Berth//EN");
        line("CALSCALE:GREGORIAN");
    }

    private void write(Entry entry, List<String> people) {
        line("BEGIN:VEVENT");
        text("UID", entry.uid());
        line("DTSTAMP:" + instant(entry.revisedAt()));
        line("LAST-MODIFIED:" + instant(entry.revisedAt()));
        line("SEQUENCE:" + entry.sequence());
        line("DTSTART:" + instant(entry.slot().start()));
        line("DTEND:" + instant(entry.slot().end()));
        line("STATUS:" + entry.status());
        line(entry.status() == Status.CANCELLED ? "TRANSP:TRANSPARENT" : "TRANSP:OPAQUE");
        text("SUMMARY", entry.summary());
        text("DESCRIPTION", entry.description());
        entry.url().ifPresent(url -> line("URL:" + url));
        people.forEach(this::line);
        line("END:VEVENT");
    }

    static String instant(long second) {
        return UTC.format(Instant.ofEpochSecond(second));
    }

    private void text(String property, String value) {
        line(property + ":" + escaped(value));
    }

    /** Escapes a text for the value of a property (section 3.3.11). Characters that are not allowed there are left out. */
    private static String escaped(String text) {
        var escaped = new StringBuilder(text.length() + 16);
        text.replace("\r\n", "\n").codePoints().forEach(character -> {
            switch (character) {
                case '\\', ';', ',' -> escaped.append('\\').appendCodePoint(character);
                case '\n', '\r' -> escaped.append("\\n");
                default -> {
                    if (character == '\t' || !Character.isISOControl(character)) {
                        escaped.appendCodePoint(character);
                    }
                }
            }
        });
        return escaped.toString();
    }

    /** Writes a line, folded between characters (section 3.1). */
    private void line(String text) {
        int octets = 0;
        for (int at = 0; at < text.length(); ) {
            int next = text.offsetByCodePoints(at, 1);
            var character = text.substring(at, next).getBytes(StandardCharsets.UTF_8);
            if (octets + character.length > MAX_OCTETS) {
                out.writeBytes(FOLD);
                octets = 1;
            }
            out.writeBytes(character);
            octets += character.length;
            at = next;
        }
        out.writeBytes(END);
    }
}
