package berth.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.Seeds;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.sla.InvalidFigure;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.WeekFields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.fortuna.ical4j.model.Recur;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecurrenceRulesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static List<Planned> occurrences(String rule, String start, ZoneId zone, String... except) {
        var days = List.of(except).stream().map(LocalDate::parse).toList();
        return RecurrenceRules.occurrences(
                new Recurrence(rule, LocalDateTime.parse(start), zone, days),
                OptionalInt.empty(),
                Optional.empty(),
                0,
                0);
    }

    private static String mistake(String rule, String start) {
        try {
            return occurrences(rule, start, BERLIN).toString();
        } catch (InvalidFigure e) {
            return e.field() + " " + e.rule();
        }
    }

    /** With all changes of the clock from 2026 to 2036, in zones that change it in different ways, and not at all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "Europe/London",
                "America/New_York",
                "America/St_Johns",
                "America/Santiago",
                "Australia/Lord_Howe",
                "Australia/Adelaide",
                "Pacific/Chatham",
                "Africa/Casablanca",
                "Asia/Kathmandu"
            })
    void anotherLibraryFindsTheSameOccurrences(String name) {
        var zone = ZoneId.of(name);
        for (var rule : List.of(
                "FREQ=WEEKLY;BYDAY=TU",
                // the other library takes the start of the week from the machine where the rule does not name it
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=MO",
                "FREQ=MONTHLY;BYDAY=-1SU",
                "FREQ=MONTHLY;BYMONTHDAY=31",
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
                "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU,1SU,2SU",
                "FREQ=DAILY;INTERVAL=17")) {
            for (var time : List.of("00:30", "01:30", "02:00", "02:30", "03:00", "23:45")) {
                var start = LocalDateTime.parse("2026-01-06T" + time);
                var end = LocalDateTime.parse("2036-12-31T23:59:59");
                var theirs = new Recur<LocalDateTime>(rule)
                        .getDates(start, start, end).stream()
                                .map(local -> new Planned(
                                        local.toLocalDate(), local.atZone(zone).toEpochSecond()))
                                .toList();

                assertThat(occurrences(rule + ";UNTIL=20361231T235959", start.toString(), zone))
                        .as("%s at %s", rule, time)
                        .isEqualTo(theirs);
            }
        }
    }

    @Test
    void aSkippedTimeMovesLaterAndADoubledTimeMeansTheFirst() {
        assertThat(occurrences("FREQ=DAILY;COUNT=3", "2027-03-27T02:30", BERLIN))
                .extracting(one -> Instant.ofEpochSecond(one.start()).toString())
                .containsExactly("2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z");
        assertThat(occurrences("FREQ=DAILY;COUNT=3", "2027-10-30T02:30", BERLIN))
                .extracting(one -> Instant.ofEpochSecond(one.start()).toString())
                .containsExactly("2027-10-30T00:30:00Z", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z");
    }

    @Test
    void anEndCountsInItsZoneAndExcludedDaysAreLeftOut() {
        assertThat(occurrences("FREQ=DAILY;UNTIL=20270106T220000Z", "2027-01-05T23:00", BERLIN))
                .extracting(Planned::date)
                .extracting(LocalDate::toString)
                .containsExactly("2027-01-05", "2027-01-06");
        assertThat(occurrences("FREQ=DAILY;UNTIL=20270107", "2027-01-05T23:00", BERLIN, "2027-01-06"))
                .extracting(Planned::date)
                .extracting(LocalDate::toString)
                .containsExactly("2027-01-05", "2027-01-07");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FREQ=DAILY                              | has no end
            FREQ=HOURLY;COUNT=3                     | is finer than daily
            FREQ=DAILY;BYHOUR=8,20;COUNT=4          | has several occurrences on one day
            FREQ=DAILY;COUNT=1001                   | has more than 1000
            FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2 | has no day that exists
            FREQ=DAILY;COUNT=0                      | is not a recurrence rule
            every Tuesday                           | is not a recurrence rule
            FREQ=WEEKLY;BYDAY=XX;COUNT=1            | is not a recurrence rule
            FREQ=DAILY;COUNT=2;UNTIL=20270101       | is not a recurrence rule
            FREQ=DAILY;UNTIL=20200101               | has no occurrence in the future
            """)
    void aMalformedRuleIsRejected(String rule, String why) {
        assertThat(mistake(rule, "2027-01-05T22:00")).startsWith("rrule " + why);
    }

    /** Every frequency with every extreme of its numbers; the library would go through some of them day by day for minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
    @Timeout(20)
    void everyRuleIsExpandedQuickly(String frequency) {
        for (var interval :
                List.of("1", "7", "999", "1000", "1001", "99999", "300000000", "2000000000", "2147483647")) {
            for (var more : List.of(
                    "",
                    ";BYMONTH=2;BYMONTHDAY=29",
                    ";BYMONTH=2;BYMONTHDAY=30",
                    ";BYMONTHDAY=31",
                    ";BYDAY=MO",
                    ";BYDAY=TU,SU;BYSETPOS=-1",
                    ";BYDAY=TU,SU;BYSETPOS=-366",
                    ";BYSETPOS=366",
                    ";BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU")) {
                for (var end : List.of(";COUNT=1000", ";COUNT=2147483647", ";UNTIL=99991231")) {
                    var rule = "FREQ=%s;INTERVAL=%s%s%s".formatted(frequency, interval, more, end);
                    var said = mistake(rule, "2027-01-05T22:00");

                    if (Long.parseLong(interval) > 1_000 && !said.contains("is not a recurrence rule")) {
                        assertThat(said).as(rule).contains("has an INTERVAL above 1000");
                    } else {
                        assertThat(said).as(rule).matches("(rrule |\\[Planned).*");
                    }
                }
            }
        }
    }

    /** A rule of 484 characters can have 31 million combinations. */
    @Test
    void severalTimesOnOneDayAreRejectedUnexpanded() {
        var minutes = IntStream.range(0, 60).mapToObj(Integer::toString).collect(Collectors.joining(","));
        var hours = IntStream.range(0, 24).mapToObj(Integer::toString).collect(Collectors.joining(","));
        var said = "rrule has several occurrences on one day; name one time of day";

        assertThat(mistake(
                        "FREQ=YEARLY;COUNT=1;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=%s;BYMINUTE=%s;BYSECOND=%s;BYSETPOS=1"
                                .formatted(hours, minutes, minutes),
                        "2027-01-05T22:00"))
                .isEqualTo(said);
        assertThat(mistake("FREQ=DAILY;COUNT=3;BYMINUTE=0,30", "2027-01-05T22:00"))
                .isEqualTo(said);
        assertThat(occurrences("FREQ=DAILY;COUNT=3;BYHOUR=6;BYMINUTE=30", "2027-01-05T22:00", BERLIN))
                .hasSize(3);
    }

    @Test
    void noOccurrenceLiesBeyondTheLastYear() {
        assertThat(mistake("FREQ=YEARLY;INTERVAL=1000;COUNT=20", "2027-01-05T22:00"))
                .isEqualTo("rrule goes beyond the year 9999; end it earlier");
    }

    @Test
    void noInstantLiesBeyondTheLastYear() {
        assertThat(mistake("FREQ=DAILY;COUNT=1", "9999-12-31T23:59:58")).startsWith("[Planned");
        assertThatThrownBy(() -> occurrences("FREQ=DAILY;COUNT=1", "9999-12-31T23:00", ZoneId.of("America/New_York")))
                .isInstanceOf(InvalidFigure.class);
    }

    @Test
    void anEndInUtcIsComparedWithTheInstantOfALocalTime() {
        assertThat(occurrences("FREQ=DAILY;UNTIL=20270328T010000Z", "2027-03-27T02:30", BERLIN))
                .extracting(Planned::date)
                .containsExactly(LocalDate.parse("2027-03-27"));
        assertThat(occurrences("FREQ=DAILY;UNTIL=20270328T013000Z", "2027-03-27T02:30", BERLIN))
                .hasSize(2);
    }

    /** Against every day of the next decades, as RFC 5545 describes the filters of a yearly rule by weeks. */
    @Test
    void weekNumbersMatchTheCalendarOfJava() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < Seeds.of(2_000); i++) {
            var weeks = random.ints(1 + random.nextInt(3), 0, 5)
                    .map(choice -> List.of(1, 10, 53, -1, -53).get(choice))
                    .distinct()
                    .boxed()
                    .toList();
            var day = DayOfWeek.of(1 + random.nextInt(7));
            var first = DayOfWeek.of(1 + random.nextInt(7));
            var calendar = WeekFields.of(first, 4);
            var start = LocalDate.of(2027, 1, 1).plusDays(random.nextInt(400));
            int month = 12 * random.nextInt(2);
            var rule = "FREQ=YEARLY;BYWEEKNO=%s;BYDAY=%s;WKST=%s;UNTIL=20551231T235959%s"
                    .formatted(
                            weeks.stream().map(String::valueOf).collect(Collectors.joining(",")),
                            day.name().substring(0, 2),
                            first.name().substring(0, 2),
                            month == 0 ? "" : ";BYMONTH=" + month);
            var expected = start.datesUntil(LocalDate.of(2056, 1, 1))
                    .filter(date -> date.getDayOfWeek() == day && (month == 0 || date.getMonthValue() == month))
                    .filter(date -> {
                        int week = date.get(calendar.weekOfWeekBasedYear());
                        long all = calendar.weekOfWeekBasedYear()
                                .rangeRefinedBy(date)
                                .getMaximum();
                        return weeks.contains(week) || weeks.contains((int) (week - all - 1));
                    })
                    .toList();
            var said = mistake(rule, start + "T08:00");
            assertThat(said.startsWith("rrule") ? List.of() : occurrences(rule, start + "T08:00", BERLIN))
                    .as("%s from %s: %s", rule, start, said)
                    .extracting(planned -> ((Planned) planned).date())
                    .containsExactlyElementsOf(expected);
        }
    }
}
