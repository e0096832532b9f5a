package berth.rest;

import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.Freq;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRule.Part;
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

    /** The largest number of occurrences of a series. */
    static final int MAX_OCCURRENCES = 1_000;

    /** The largest number of past or excluded days that a rule may have. */
    private static final int MAX_SKIPPED = 5_000;

    private static final int MAX_RULE = 500;

    /** The longest interval, in days, weeks, months or years. The library goes through the days between two occurrences one by one. */
    private static final int MAX_INTERVAL = 1_000;

    /** The last year that RFC 3339 can write. */
    private static final int LAST_YEAR = 9999;

    private static final int MAX_EXCEPT = 1_000;
    private static final Set<Freq> FINER = EnumSet.of(Freq.HOURLY, Freq.MINUTELY, Freq.SECONDLY);
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
            return LocalDateTime.parse(text).withNano(0);
        } catch (DateTimeException e) {
            fields.malformed(
                    "recurrence.dtstart", text, "must be a local date and time that exist, such as 2027-01-05T22:00");
            return NONE.start();
        }
    }

    private static ZoneId zone(String text, Fields fields) {
        if (ZoneId.getAvailableZoneIds().contains(text)) {
            return ZoneId.of(text);
        }
        fields.invalid(
                "recurrence.zone", text, "is not a time zone; use a name of the IANA database, such as Europe/Berlin");
        return ZoneOffset.UTC;
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
            return Optional.of(LocalDate.parse(String.valueOf(text)));
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
        if (count.isPresent() && (count.getAsInt() < 1 || count.getAsInt() > MAX_OCCURRENCES)) {
            fields.invalid("count", count.getAsInt(), "must lie between 1 and " + MAX_OCCURRENCES);
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

    /**
     * Returns the occurrences of a rule that begin after {@code now}, in order.
     *
     * @param count the number of occurrences, including past ones; empty if the rule says it
     * @param until the last day; empty if the rule says it
     * @param fields collects the mistakes; if there are any, the returned list must not be used
     */
    static List<Planned> occurrences(
            Recurrence recurrence, OptionalInt count, Optional<LocalDate> until, long now, Fields fields) {
        var rule = rule(recurrence, count, until, fields);
        return rule.isEmpty() ? List.of() : occurrences(rule.get(), recurrence, now, fields);
    }

    private static Optional<RecurrenceRule> rule(
            Recurrence recurrence, OptionalInt count, Optional<LocalDate> until, Fields fields) {
        RecurrenceRule rule;
        try {
            rule = new RecurrenceRule(recurrence.rrule(), RecurrenceRule.RfcMode.RFC5545_STRICT);
        } catch (InvalidRecurrenceRuleException e) {
            return wrong(recurrence, "is not a recurrence rule of RFC 5545 (%s)".formatted(e.getMessage()), fields);
        }
        if (FINER.contains(rule.getFreq())) {
            return wrong(recurrence, "is finer than daily; a series has at most one occurrence a day", fields);
        }
        if (rule.getInterval() > MAX_INTERVAL) {
            return wrong(recurrence, "has an INTERVAL above %d; name a shorter one".formatted(MAX_INTERVAL), fields);
        }
        // their combinations would be made before the first of them is seen
        if (Stream.of(Part.BYHOUR, Part.BYMINUTE, Part.BYSECOND)
                .anyMatch(part -> rule.hasPart(part) && rule.getByPart(part).size() > 1)) {
            return wrong(recurrence, "has several occurrences on one day; name one time of day", fields);
        }
        boolean endsItself = rule.getCount() != null || rule.getUntil() != null;
        if (endsItself && (count.isPresent() || until.isPresent())) {
            return wrong(recurrence, "has its own COUNT or UNTIL; remove that, or leave out count and until", fields);
        }
        if (count.isPresent()) {
            rule.setCount(count.getAsInt());
        } else if (until.isPresent()) {
            rule.setUntil(local(until.get().atTime(23, 59, 59)));
        } else if (rule.getUntil() != null) {
            rule.setUntil(local(until(rule.getUntil(), recurrence.zone())));
        } else if (!endsItself) {
            return wrong(recurrence, "has no end; send count or until, or put COUNT or UNTIL into the rule", fields);
        }
        return Optional.of(rule);
    }

    /** Returns the end of a rule in local time; the end of the day, if the rule names only a day. */
    private static LocalDateTime until(DateTime end, ZoneId zone) {
        var local = LocalDateTime.of(
                end.getYear(),
                end.getMonth() + 1,
                end.getDayOfMonth(),
                end.getHours(),
                end.getMinutes(),
                end.getSeconds());
        if (end.isAllDay()) {
            return local.toLocalDate().atTime(23, 59, 59);
        }
        return end.isFloating()
                ? local
                : local.atOffset(ZoneOffset.UTC).atZoneSameInstant(zone).toLocalDateTime();
    }

    private static DateTime local(LocalDateTime time) {
        return new DateTime(
                time.getYear(),
                time.getMonthValue() - 1,
                time.getDayOfMonth(),
                time.getHour(),
                time.getMinute(),
                time.getSecond());
    }

    private static List<Planned> occurrences(RecurrenceRule rule, Recurrence recurrence, long now, Fields fields) {
        var planned = new ArrayList<Planned>();
        int skipped = 0;
        Optional<LocalDate> last = Optional.empty();
        try {
            for (var days = rule.iterator(local(recurrence.start())); days.hasNext(); ) {
                var time = days.nextDateTime();
                var date = LocalDate.of(time.getYear(), time.getMonth() + 1, time.getDayOfMonth());
                if (last.equals(Optional.of(date))) {
                    wrong(recurrence, "has several occurrences on one day; name one time of day", fields);
                    return List.of();
                }
                if (date.getYear() > LAST_YEAR) {
                    wrong(recurrence, "goes beyond the year %d; end it earlier".formatted(LAST_YEAR), fields);
                    return List.of();
                }
                last = Optional.of(date);
                var local = date.atTime(time.getHours(), time.getMinutes(), time.getSeconds());
                long start =
                        ZonedDateTime.ofLocal(local, recurrence.zone(), null).toEpochSecond();
                if (start <= now || recurrence.except().contains(date)) {
                    if (++skipped > MAX_SKIPPED) {
                        wrong(recurrence, "has thousands of occurrences in the past; begin later", fields);
                        return List.of();
                    }
                } else if (planned.size() == MAX_OCCURRENCES) {
                    wrong(
                            recurrence,
                            "has more than %d occurrences; end it earlier".formatted(MAX_OCCURRENCES),
                            fields);
                    return List.of();
                } else {
                    planned.add(new Planned(date, start));
                }
            }
        } catch (RuntimeException e) {
            // whatever the library makes of a rule that it has accepted, the rule is the client's
            wrong(recurrence, "has no day that exists in the calendar", fields);
            return List.of();
        }
        if (planned.isEmpty()) {
            wrong(recurrence, "has no occurrence in the future", fields);
        }
        return planned;
    }

    private static Optional<RecurrenceRule> wrong(Recurrence recurrence, String what, Fields fields) {
        fields.invalid("recurrence.rrule", recurrence.rrule(), what);
        return Optional.empty();
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
