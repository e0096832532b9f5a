package berth.series;

import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.sla.InvalidFigure;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
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

/**
 * The occurrences of a rule of RFC 5545. The rule applies to local time, and the time zone turns each local time into an instant. If a clock
 * change skips a local time, it becomes later by the skipped amount. If a local time occurs twice, the first one counts. A rule has at most
 * one occurrence a day.
 */
public final class RecurrenceRules {

    /** The largest number of occurrences of a series. */
    public static final int MAX_OCCURRENCES = 1_000;

    /** The last year that RFC 3339 can write. */
    public static final int LAST_YEAR = 9999;

    private static final long LAST_SECOND =
            LocalDateTime.of(LAST_YEAR, 12, 31, 23, 59, 59).toEpochSecond(ZoneOffset.UTC);

    /** The largest number of past or excluded days that a rule may have. */
    private static final int MAX_SKIPPED = 5_000;

    /** The longest interval, in days, weeks, months or years. The library goes through the days between two occurrences one by one. */
    private static final int MAX_INTERVAL = 1_000;

    private static final Set<Freq> FINER = EnumSet.of(Freq.HOURLY, Freq.MINUTELY, Freq.SECONDLY);

    private RecurrenceRules() {}

    /**
     * Returns the occurrences of a rule that begin after {@code now}, in order; at least one and at most {@link #MAX_OCCURRENCES}.
     *
     * @param count the number of occurrences, including past ones; empty if the rule says it
     * @param until the last day; empty if the rule says it
     * @param lasts how long each occurrence certainly lasts, in seconds
     * @throws InvalidFigure if the rule is wrong, has no occurrence, or has too many
     */
    public static List<Planned> occurrences(
            Recurrence recurrence, OptionalInt count, Optional<LocalDate> until, long lasts, long now) {
        return occurrences(rule(recurrence, count, until), recurrence, lasts, now);
    }

    /**
     * A rule and its end.
     *
     * @param rule the rule without its end
     * @param count the number of occurrences; empty if only {@code end} bounds them
     * @param isOver whether an occurrence lies after the end, by its local time in the rule and the time that this is
     */
    private record Bounded(RecurrenceRule rule, OptionalInt count, BiPredicate<LocalDateTime, ZonedDateTime> isOver) {}

    private static Bounded rule(Recurrence recurrence, OptionalInt count, Optional<LocalDate> until) {
        RecurrenceRule rule;
        try {
            rule = new RecurrenceRule(recurrence.rrule(), RecurrenceRule.RfcMode.RFC5545_STRICT);
        } catch (InvalidRecurrenceRuleException e) {
            throw wrong(recurrence, "is not a recurrence rule of RFC 5545 (%s)".formatted(e.getMessage()));
        }
        if (FINER.contains(rule.getFreq())) {
            throw wrong(recurrence, "is finer than daily; a series has at most one occurrence a day");
        }
        if (rule.getInterval() > MAX_INTERVAL) {
            throw wrong(recurrence, "has an INTERVAL above %d; name a shorter one".formatted(MAX_INTERVAL));
        }
        // their combinations would be made before the first of them is seen
        if (Stream.of(Part.BYHOUR, Part.BYMINUTE, Part.BYSECOND)
                .anyMatch(part -> rule.hasPart(part) && rule.getByPart(part).size() > 1)) {
            throw wrong(recurrence, "has several occurrences on one day; name one time of day");
        }
        var most = rule.getCount() == null ? count : OptionalInt.of(rule.getCount());
        var end = rule.getUntil();
        boolean endsItself = rule.getCount() != null || end != null;
        if (endsItself && (count.isPresent() || until.isPresent())) {
            throw wrong(recurrence, "has its own COUNT or UNTIL; remove that, or leave out count and until");
        }
        if (!endsItself && count.isEmpty() && until.isEmpty()) {
            throw wrong(recurrence, "has no end; send count or until, or put COUNT or UNTIL into the rule");
        }
        rule.setUntil(null); // also removes a COUNT
        return new Bounded(
                rule,
                most,
                until.map(RecurrenceRules::afterDay)
                        .or(() -> Optional.ofNullable(end).map(RecurrenceRules::after))
                        .orElse((_, _) -> false));
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

    private static List<Planned> occurrences(Bounded bounded, Recurrence recurrence, long lasts, long now) {
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
                    throw wrong(recurrence, "has several occurrences on one day; name one time of day");
                }
                long start = time.toEpochSecond();
                if (date.getYear() > LAST_YEAR || start + lasts > LAST_SECOND) {
                    throw wrong(recurrence, "goes beyond the year %d; end it earlier".formatted(LAST_YEAR));
                }
                last = Optional.of(date);
                if (start <= now || recurrence.except().contains(date)) {
                    if (++skipped > MAX_SKIPPED) {
                        throw wrong(recurrence, "has thousands of occurrences in the past; begin later");
                    }
                } else if (planned.size() == MAX_OCCURRENCES) {
                    throw wrong(recurrence, "has more than %d occurrences; end it earlier".formatted(MAX_OCCURRENCES));
                } else {
                    planned.add(new Planned(date, start));
                }
            }
        } catch (InvalidFigure e) {
            throw e;
        } catch (RuntimeException e) {
            // whatever the library makes of a rule that it has accepted, the rule is the client's
            throw wrong(recurrence, "has no day that exists in the calendar");
        }
        if (planned.isEmpty()) {
            throw wrong(recurrence, "has no occurrence in the future");
        }
        return planned;
    }

    private static InvalidFigure wrong(Recurrence recurrence, String what) {
        return new InvalidFigure("rrule", recurrence.rrule(), what);
    }
}
