package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import berth.http.ICalendar.Entry;
import berth.http.ICalendar.Status;
import berth.service.ReadBack;
import berth.time.Slot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ICalendarTest {

    private static final long NOON = 1_801_396_800L;

    private static Entry entry(Status status, String summary, String description) {
        return new Entry(
                "a@b.berth",
                7,
                NOON - 60,
                new Slot(NOON, NOON + 7200),
                status,
                summary,
                description,
                Optional.of("https://berth.example.org/#/reservation?id=1,2;3"));
    }

    private static List<String> lines(byte[] calendar) {
        return List.of(new String(calendar, StandardCharsets.UTF_8).split("\r\n"));
    }

    @Test
    void anEntryIsWrittenWithTimesInUtc() {
        var written = ICalendar.write(
                "mine",
                Optional.empty(),
                List.of(entry(Status.TENTATIVE, "a, b; c\\d", "one\ntwo\r\nthree\rfour\u0007")));

        assertThat(new String(written, StandardCharsets.UTF_8)).endsWith("\r\n").doesNotContain("\n\r\n");
        assertThat(lines(written))
                .containsExactly(
                        "BEGIN:VCALENDAR",
                        "VERSION:2.0",
                        "PRODID:-//Berth//Berth//EN",
                        "CALSCALE:GREGORIAN",
                        "NAME:mine",
                        "X-WR-CALNAME:mine",
                        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
                        "X-PUBLISHED-TTL:PT15M",
                        "BEGIN:VEVENT",
                        "UID:a@b.berth",
                        "DTSTAMP:20270131T115900Z",
                        "LAST-MODIFIED:20270131T115900Z",
                        "SEQUENCE:7",
                        "DTSTART:20270131T120000Z",
                        "DTEND:20270131T140000Z",
                        "STATUS:TENTATIVE",
                        "TRANSP:OPAQUE",
                        "SUMMARY:a\\, b\\; c\\\\d",
                        "DESCRIPTION:one\\ntwo\\nthree\\nfour",
                        "URL:https://berth.example.org/#/reservation?id=1,2;3",
                        "END:VEVENT",
                        "END:VCALENDAR");
    }

    @Test
    void aCancelledEntryDoesNotCountAsBusy() {
        var written = ICalendar.write("mine", Optional.of("cut"), List.of(entry(Status.CANCELLED, "a", "b")));

        assertThat(lines(written))
                .contains("STATUS:CANCELLED", "TRANSP:TRANSPARENT", "DESCRIPTION:cut", "X-WR-CALDESC:cut");
    }

    /** No line is longer than 75 octets, and none begins or ends within a character. */
    @Test
    void longLinesAreFoldedBetweenCharacters() {
        for (int length = 55; length < 300; length++) {
            for (var character : List.of("x", "ü", "€", "🚢")) {
                var summary = "y".repeat(length % 7) + character.repeat(length);
                var written = ICalendar.write("mine", Optional.empty(), List.of(entry(Status.CONFIRMED, summary, "")));

                assertThat(lines(written))
                        .allSatisfy(line -> assertThat(line.getBytes(StandardCharsets.UTF_8))
                                .hasSizeLessThanOrEqualTo(75));
                assertThat(new String(written, StandardCharsets.UTF_8))
                        .doesNotContain("\uFFFD")
                        .satisfies(
                                text -> assertThat(text.replace("\r\n ", "")).contains("SUMMARY:" + summary + "\r\n"));
            }
        }
    }

    /** Two independent parsers read the output. */
    @Test
    void anotherParserReadsEntriesBack() throws Exception {
        var random = new Random(20270131);
        for (int i = 0; i < 60; i++) {
            var entries = IntStream.range(0, random.nextInt(4))
                    .mapToObj(number -> new Entry(
                            "e%d@reservation.berth".formatted(number),
                            random.nextInt(1000),
                            NOON - random.nextInt(1_000_000),
                            Slot.of(NOON + random.nextInt(1_000_000), 1 + random.nextInt(1_000_000)),
                            Status.values()[random.nextInt(3)],
                            text(random),
                            text(random) + "\n" + text(random),
                            Optional.of("https://berth.example.org/#/reservation?id=" + number)
                                    .filter(_ -> random.nextBoolean())))
                    .toList();
            var name = text(random);
            var said = Optional.of(text(random)).filter(_ -> random.nextBoolean());

            var written = ICalendar.write(name, said, entries);

            assertThat(ReadBack.byBiweekly(written)).isEqualTo(new ReadBack(name, said, entries));
            assertThat(ReadBack.byIcal4j(written)).isEqualTo(new ReadBack(name, said, entries));
        }
    }

    /** Returns a text with characters that are special in iCalendar, and with characters of every length. */
    private static String text(Random random) {
        var pieces = List.of(
                "a",
                "b ",
                " c",
                ",",
                ";",
                ":",
                "\\",
                "\\n",
                "\"",
                "'",
                "=",
                "ä",
                "ß",
                "€",
                "漢字",
                "🚢",
                "é",
                "END:VEVENT",
                "|",
                "^");
        return "t"
                + IntStream.range(0, random.nextInt(60))
                        .mapToObj(_ -> pieces.get(random.nextInt(pieces.size())))
                        .collect(Collectors.joining())
                + ".";
    }
}
