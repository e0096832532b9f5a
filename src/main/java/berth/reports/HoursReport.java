package berth.reports;

import berth.http.CsvBody;
import berth.http.Texts;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up utilisation by weekday and hour of a time zone. */
final class HoursReport {

    /** The step of which hours of the week are made, in seconds: the offsets of time zones are multiples of it. */
    static final long STEP = 900;

    private static final int HOURS = 24;

    private HoursReport() {}

    /**
     * Utilisation by weekday and hour.
     *
     * @param from start of the period, at a full quarter of an hour
     * @param to end of the period
     * @param zone the time zone of the hours
     * @param completeFrom the time from which all ended reservations are still in the tables; figures of earlier times are too low. Null if
     *     nothing has been deleted
     * @param hours the figures of the 168 hours of the week, from Monday at 0 on
     */
    @Schema(name = "HourReport")
    record HoursBody(
            Instant from, Instant to, String zone, @Nullable Instant completeFrom, List<HourBody> hours)
            implements CsvBody {

        @Override
        public List<String> columns() {
            return List.of(
                    "weekday",
                    "hour",
                    "pe_hours_available",
                    "pe_hours_booked",
                    "pe_hours_used",
                    "booked_share",
                    "used_share");
        }

        @Override
        public Stream<List<String>> lines() {
            return hours.stream()
                    .map(hour -> List.of(
                            hour.weekday,
                            String.valueOf(hour.hour),
                            hour.available == null ? "" : hour.available.toPlainString(),
                            hour.booked.toPlainString(),
                            hour.used.toPlainString(),
                            text(hour.bookedShare),
                            text(hour.usedShare)));
        }

        private static String text(@Nullable Double share) {
            return share == null ? "" : BigDecimal.valueOf(share).toPlainString();
        }
    }

    /**
     * The figures of an hour of the week, over all weeks of the period.
     *
     * @param weekday the day of the week, such as MONDAY
     * @param hour the hour, from 0 to 23
     * @param available PE-hours that the clusters had and no outage took; null for an owner of a project
     * @param booked PE-hours that were reserved or taken by batch jobs, including the rest of a run that ended early
     * @param used PE-hours that runs and batch jobs have had until now
     * @param bookedShare booked of available PE-hours; null if none were available, and for an owner of a project
     * @param usedShare used of available PE-hours; null if none were available, and for an owner of a project
     */
    @Schema(name = "ReportedHour")
    record HourBody(
            String weekday,
            int hour,
            @Nullable BigDecimal available,
            BigDecimal booked,
            BigDecimal used,
            @Nullable Double bookedShare,
            @Nullable Double usedShare) {}

    /** Returns the range from the beginning of the step in which it starts. */
    static Slot aligned(Slot range) {
        return new Slot(range.start() / STEP * STEP, range.end());
    }

    /**
     * Returns the figures by weekday and hour.
     *
     * @param steps the figures of each step of {@link #STEP} seconds of the aligned range
     */
    static HoursBody body(Asked asked, ZoneId zone, Capacity.Step[] steps, @Nullable Instant completeFrom) {
        var hours = new Capacity.Step[DayOfWeek.values().length * HOURS];
        Arrays.fill(hours, new Capacity.Step(0, 0, 0, 0));
        long start = aligned(asked.range()).start();
        for (int i = 0; i < steps.length; i++) {
            var local = Instant.ofEpochSecond(start + i * STEP).atZone(zone);
            int hour = local.getDayOfWeek().ordinal() * HOURS + local.getHour();
            hours[hour] = hours[hour].plus(steps[i]);
        }
        var bodies = new ArrayList<HourBody>();
        for (int i = 0; i < hours.length; i++) {
            bodies.add(body(DayOfWeek.of(1 + i / HOURS), i % HOURS, hours[i], asked.seesClusters()));
        }
        return new HoursBody(
                Texts.instant(start), Texts.instant(asked.range().end()), zone.getId(), completeFrom, bodies);
    }

    private static HourBody body(DayOfWeek weekday, int hour, Capacity.Step sum, boolean showsCapacity) {
        long possible = showsCapacity ? sum.available() : 0;
        return new HourBody(
                weekday.name(),
                hour,
                showsCapacity ? Amounts.hours(possible) : null,
                Amounts.hours(sum.booked()),
                Amounts.hours(sum.used()),
                Amounts.share(sum.booked(), possible),
                Amounts.share(sum.used(), possible));
    }
}
