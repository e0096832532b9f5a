package berth.series.web;

import berth.http.Fields;
import berth.http.Required;
import berth.http.Texts;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.Weekday;
import org.dmfs.rfc5545.recur.Freq;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRule.Part;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;
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

    private static final String YEARS = "must lie in the years 1 to %d".formatted(LAST_YEAR);

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
        return day.getYear() >= 1 && day.getYear() <= LAST_YEAR;
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
     * @param lasts how long each occurrence certainly lasts, in seconds
     * @param fields collects the mistakes; if there are any, the returned list must not be used
     */
    static List<Planned> occurrences(
            Recurrence recurrence, OptionalInt count, Optional<LocalDate> until, long lasts, long now, Fields fields) {
        return rule(recurrence, count, until, fields)
                .map(rule -> occurrences(rule, recurrence, lasts, now, fields))
                .orElse(List.of());
    }

    /**
     * A rule and its end.
     *
     * @param rule the rule without its end
     * @param count the number of occurrences; empty if only {@code end} bounds them
     * @param isOver whether an occurrence lies after the end, by its local time in the rule and the time that this is
     */
    private record Bounded(RecurrenceRule rule, OptionalInt count, BiPredicate<LocalDateTime, ZonedDateTime> isOver) {}

    private static Optional<Bounded> rule(
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
        var most = rule.getCount() == null ? count : OptionalInt.of(rule.getCount());
        var end = rule.getUntil();
        boolean endsItself = rule.getCount() != null || end != null;
        if (endsItself && (count.isPresent() || until.isPresent())) {
            return wrong(recurrence, "has its own COUNT or UNTIL; remove that, or leave out count and until", fields);
        }
        if (!endsItself && count.isEmpty() && until.isEmpty()) {
            return wrong(recurrence, "has no end; send count or until, or put COUNT or UNTIL into the rule", fields);
        }
        rule.setUntil(null); // also removes a COUNT
        return Optional.of(new Bounded(
                rule,
                most,
                until.map(RecurrenceBody::afterDay)
                        .or(() -> Optional.ofNullable(end).map(RecurrenceBody::after))
                        .orElse((_, _) -> false)));
    }

    private static BiPredicate<LocalDateTime, ZonedDateTime> afterDay(LocalDate last) {
        return (local, _) -> local.toLocalDate().isAfter(last);
    }

    /** Returns what lies after the end of a rule: a day, a local time, or an instant. */
    private static BiPredicate<LocalDateTime, ZonedDateTime> after(DateTime end) {
        var local = local(end);
        if (end.isAllDay()) {
            return afterDay(local.toLocalDate());
        }
        return end.isFloating()
                ? (_, time) -> time.toInstant()
                        .isAfter(ZonedDateTime.ofLocal(local, time.getZone(), null)
                                .toInstant())
                : (_, time) -> time.toInstant().isAfter(local.toInstant(ZoneOffset.UTC));
    }

    private static LocalDateTime local(DateTime time) {
        return LocalDateTime.of(
                time.getYear(),
                time.getMonth() + 1,
                time.getDayOfMonth(),
                time.getHours(),
                time.getMinutes(),
                time.getSeconds());
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

    /** Returns the local times of a rule, in order. The library misplaces days of weeks at the turn of the year. */
    private static Iterator<LocalDateTime> times(RecurrenceRule rule, LocalDateTime start) {
        if (rule.hasPart(Part.BYWEEKNO)) {
            return byWeeks(rule, start);
        }
        var all = rule.iterator(local(start));
        return Stream.generate(() -> all)
                .takeWhile(RecurrenceRuleIterator::hasNext)
                .map(left -> local(left.nextDateTime()))
                .iterator();
    }

    /** Returns the local times of a yearly rule that names weeks. A year consists of its numbered weeks. */
    private static Iterator<LocalDateTime> byWeeks(RecurrenceRule rule, LocalDateTime start) {
        var time = start.toLocalTime()
                .withHour(one(rule, Part.BYHOUR, start.getHour()))
                .withMinute(one(rule, Part.BYMINUTE, start.getMinute()))
                .withSecond(one(rule, Part.BYSECOND, start.getSecond()));
        int interval = rule.getInterval();
        return IntStream.iterate(
                        start.getYear() - interval, year -> year <= LAST_YEAR + interval, year -> year + interval)
                .boxed()
                .flatMap(year -> daysInWeeks(rule, year, start.getDayOfWeek()).stream())
                .map(day -> day.atTime(time))
                .filter(each -> !each.isBefore(start))
                .iterator();
    }

    private static int one(RecurrenceRule rule, Part part, int otherwise) {
        return rule.hasPart(part) ? rule.getByPart(part).getFirst() : otherwise;
    }

    private static List<LocalDate> daysInWeeks(RecurrenceRule rule, int year, DayOfWeek ofStart) {
        var first = weekday(rule.getWeekStart());
        var begin = LocalDate.of(year, 1, 4).with(TemporalAdjusters.previousOrSame(first));
        var end = LocalDate.of(year + 1, 1, 4).with(TemporalAdjusters.previousOrSame(first));
        int weeks = (int) begin.until(end, ChronoUnit.WEEKS);
        var named = rule.getByDayPart();
        var weekdays = named == null
                ? Set.of(ofStart)
                : named.stream().map(each -> weekday(each.weekday)).collect(Collectors.toSet());
        var days = begin.datesUntil(end)
                .filter(day -> weekdays.contains(day.getDayOfWeek()))
                .filter(day -> {
                    int week = (int) begin.until(day, ChronoUnit.WEEKS) + 1;
                    return isNamed(rule, Part.BYWEEKNO, week, weeks);
                })
                // the library counts months from 0
                .filter(day -> !rule.hasPart(Part.BYMONTH)
                        || rule.getByPart(Part.BYMONTH).contains(day.getMonthValue() - 1))
                .filter(day -> isNamed(rule, Part.BYMONTHDAY, day.getDayOfMonth(), day.lengthOfMonth()))
                .filter(day -> isNamed(rule, Part.BYYEARDAY, day.getDayOfYear(), day.lengthOfYear()))
                .toList();
        return IntStream.range(0, days.size())
                .filter(i -> isNamed(rule, Part.BYSETPOS, i + 1, days.size()))
                .mapToObj(days::get)
                .toList();
    }

    /** Whether a rule names a number, counted from the first or, below zero, from the last of so many. */
    private static boolean isNamed(RecurrenceRule rule, Part part, int number, int all) {
        return !rule.hasPart(part)
                || rule.getByPart(part).contains(number)
                || rule.getByPart(part).contains(number - all - 1);
    }

    private static DayOfWeek weekday(Weekday weekday) {
        return DayOfWeek.SUNDAY.plus(weekday.ordinal());
    }

    private static List<Planned> occurrences(
            Bounded bounded, Recurrence recurrence, long lasts, long now, Fields fields) {
        var planned = new ArrayList<Planned>();
        int skipped = 0;
        Optional<LocalDate> last = Optional.empty();
        try {
            var times = times(bounded.rule, recurrence.start());
            int most = bounded.count.orElse(Integer.MAX_VALUE);
            while (planned.size() + skipped < most && times.hasNext()) {
                var local = times.next();
                var time = ZonedDateTime.ofLocal(local, recurrence.zone(), null);
                if (bounded.isOver.test(local, time)) {
                    break;
                }
                var date = local.toLocalDate();
                if (last.equals(Optional.of(date))) {
                    wrong(recurrence, "has several occurrences on one day; name one time of day", fields);
                    return List.of();
                }
                long start = time.toEpochSecond();
                if (date.getYear() > LAST_YEAR || start + lasts > Fields.LAST_SECOND) {
                    wrong(recurrence, "goes beyond the year %d; end it earlier".formatted(LAST_YEAR), fields);
                    return List.of();
                }
                last = Optional.of(date);
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

    private static Optional<Bounded> wrong(Recurrence recurrence, String what, Fields fields) {
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
