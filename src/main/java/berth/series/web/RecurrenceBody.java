package berth.series.web;

import berth.http.Fields;
import berth.http.Required;
import berth.http.Texts;
import berth.series.RecurrenceRules;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The days and the time at which something recurs, by a rule of RFC 5545. The rule applies to local time, and the time zone turns each
 * local time into an instant. If a clock change skips a local time, it becomes later by the skipped amount. If a local time occurs twice,
 * the first one counts.
 *
 * @param rrule the rule, such as {@code FREQ=WEEKLY;BYDAY=TU}; it may not be finer than daily
 * @param dtstart the local date and time of the first occurrence. If the rule has none on that day, the first occurrence follows later
 * @param zone a time zone of the IANA database, such as {@code Europe/Berlin}
 * @param exdates the days that are left out
 */
record RecurrenceBody(
        @Required @Nullable String rrule,
        @Required @Nullable String dtstart,
        @Required @Nullable String zone,
        @Nullable List<@Nullable String> exdates) {

    private static final int MAX_RULE = 500;

    private static final String YEARS = "must lie in the years 1 to %d".formatted(RecurrenceRules.LAST_YEAR);

    private static final int MAX_EXCEPT = 1_000;
    private static final Recurrence NONE =
            new Recurrence("FREQ=DAILY;COUNT=1", LocalDateTime.of(2000, 1, 1, 0, 0), ZoneOffset.UTC, List.of());

    /**
     * Reads a recurrence.
     *
     * @param fields collects the mistakes
     */
    static Recurrence read(@Nullable RecurrenceBody body, Fields fields) {
        if (body == null) {
            fields.required("recurrence", null, "");
            return NONE;
        }
        var rule = fields.required("recurrence.rrule", body.rrule, NONE.rrule());
        if (rule.length() > MAX_RULE) {
            fields.invalid(
                    "recurrence.rrule", rule, "is longer than %d characters; name fewer days".formatted(MAX_RULE));
        }
        return new Recurrence(
                rule,
                start(fields.required("recurrence.dtstart", body.dtstart, "2000-01-01T00:00"), fields),
                zone(fields.required("recurrence.zone", body.zone, "UTC"), fields),
                except(body.exdates, fields));
    }

    private static LocalDateTime start(String text, Fields fields) {
        try {
            var start = LocalDateTime.parse(text).withNano(0);
            if (isOfCalendar(start.toLocalDate())) {
                return start;
            }
            fields.invalid("recurrence.dtstart", text, YEARS);
            return NONE.start();
        } catch (DateTimeException e) {
            fields.malformed(
                    "recurrence.dtstart", text, "must be a local date and time that exist, such as 2027-01-05T22:00");
            return NONE.start();
        }
    }

    private static boolean isOfCalendar(LocalDate day) {
        return day.getYear() >= 1 && day.getYear() <= RecurrenceRules.LAST_YEAR;
    }

    private static ZoneId zone(String text, Fields fields) {
        return Texts.zone(text).orElseGet(() -> {
            fields.invalid("recurrence.zone", text, Texts.NO_ZONE);
            return ZoneOffset.UTC;
        });
    }

    private static List<LocalDate> except(@Nullable List<@Nullable String> texts, Fields fields) {
        var days = new ArrayList<LocalDate>();
        var given = texts == null ? List.<String>of() : texts;
        if (given.size() > MAX_EXCEPT) {
            fields.invalid("recurrence.exdates", given.size(), "must be at most %d days".formatted(MAX_EXCEPT));
            return days;
        }
        for (int i = 0; i < given.size(); i++) {
            day("recurrence.exdates[%d]".formatted(i), given.get(i), fields).ifPresent(days::add);
        }
        return days;
    }

    /** Returns a day that was sent; empty if the text is not a day. */
    static Optional<LocalDate> day(String field, @Nullable String text, Fields fields) {
        try {
            var day = LocalDate.parse(String.valueOf(text));
            if (isOfCalendar(day)) {
                return Optional.of(day);
            }
            fields.invalid(field, text, YEARS);
            return Optional.empty();
        } catch (DateTimeException e) {
            fields.malformed(field, text, "must be a day that exists, such as 2027-01-05");
            return Optional.empty();
        }
    }

    /** Reports mistakes in the end of a series that was sent outside of the rule. */
    static void checkEnd(OptionalInt count, Optional<LocalDate> until, Fields fields) {
        if (count.isPresent() && until.isPresent()) {
            fields.invalid("count", count.getAsInt(), "cannot be combined with until; send one of them");
        }
        if (count.isPresent() && (count.getAsInt() < 1 || count.getAsInt() > RecurrenceRules.MAX_OCCURRENCES)) {
            fields.invalid("count", count.getAsInt(), "must lie between 1 and " + RecurrenceRules.MAX_OCCURRENCES);
        }
    }

    /** Reports a mistake if each occurrence takes so many seconds that it would overlap the next one. */
    static void checkGap(String field, long seconds, List<Planned> planned, Fields fields) {
        long gap = IntStream.range(1, planned.size())
                .mapToLong(i -> planned.get(i).start() - planned.get(i - 1).start())
                .min()
                .orElse(Long.MAX_VALUE);
        if (seconds >= gap) {
            fields.invalid(
                    field,
                    Texts.duration(seconds),
                    "takes %d s, but two occurrences are only %d s apart; shorten it".formatted(seconds, gap));
        }
    }

    /** Returns the occurrences of a rule as {@link RecurrenceRules#occurrences} does; if the rule is wrong, none, and reports the mistake. */
    static List<Planned> occurrences(
            Recurrence recurrence, OptionalInt count, Optional<LocalDate> until, long lasts, long now, Fields fields) {
        return fields.figures(
                "recurrence.", () -> RecurrenceRules.occurrences(recurrence, count, until, lasts, now), List.of());
    }

    static RecurrenceBody of(Recurrence recurrence) {
        return new RecurrenceBody(
                recurrence.rrule(),
                recurrence.start().toString(),
                recurrence.zone().getId(),
                recurrence.except().stream()
                        .<@Nullable String>map(LocalDate::toString)
                        .toList());
    }
}
