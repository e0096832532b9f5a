package berth.reports;

import berth.engine.ReportRecords.EventSum;
import berth.http.CsvBody;
import berth.http.MoneyBody;
import berth.http.SignedMoneyBody;
import berth.http.Texts;
import berth.scheduling.Event.Type;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up the figures of a period. */
final class Summary {

    private final Slot period;
    private final Capacity.Step step;
    private final boolean showsCapacity;
    private final OptionalLong refused;
    private final Amounts amounts = new Amounts();
    private long accepted;
    private long moves;
    private long kept;
    private long broken;

    /** @param refused the number of refused requests; empty if it is not known */
    Summary(Slot period, Capacity.Step step, boolean showsCapacity, OptionalLong refused) {
        this.period = period;
        this.step = step;
        this.showsCapacity = showsCapacity;
        this.refused = refused;
    }

    void add(EventSum sum) {
        switch (sum.type()) {
            case HELD, APPROVAL_ASKED, CONFIRMED -> accepted += sum.isFirst() ? sum.number() : 0;
            case MOVED -> moves += sum.number();
            case COMPLETED, CANCELLED, RELEASED, EXPIRED, FAILED, RETURN_CREDITED -> end(sum);
            default -> {
                // the hourly sums have all types
            }
        }
    }

    private void end(EventSum sum) {
        kept += sum.type() == Type.COMPLETED ? sum.number() : 0;
        broken += sum.type() == Type.FAILED ? sum.number() : 0;
        sum.currency().ifPresent(currency -> amounts.add(currency, sum.price(), sum.credit()));
    }

    /**
     * The figures of a period, and of the one before, which is as long and ends where it begins.
     *
     * @param completeFrom the time from which all ended reservations are still in the tables; PE-hours of earlier times are too low. Null
     *     if nothing has been deleted
     * @param current the figures of the period
     * @param before the figures of the period before
     */
    @Schema(name = "ReportSummary")
    record SummaryBody(@Nullable Instant completeFrom, PeriodBody current, PeriodBody before) implements CsvBody {

        @Override
        public List<String> columns() {
            return List.of("figure", "currency", "value", "before");
        }

        @Override
        public Stream<List<String>> lines() {
            var lines = new ArrayList<List<String>>();
            line(lines, "from", PeriodBody::from);
            line(lines, "to", PeriodBody::to);
            line(lines, "pe_hours_total", period -> period.peHours.total);
            line(lines, "pe_hours_out_of_service", period -> period.peHours.outOfService);
            line(lines, "pe_hours_available", period -> period.peHours.available);
            line(lines, "pe_hours_booked", period -> period.peHours.booked);
            line(lines, "pe_hours_used", period -> period.peHours.used);
            line(lines, "booked_share", PeriodBody::bookedShare);
            line(lines, "used_share", PeriodBody::usedShare);
            line(lines, "requests", PeriodBody::requests);
            line(lines, "accepted", PeriodBody::accepted);
            line(lines, "acceptance", PeriodBody::acceptance);
            line(lines, "moves", PeriodBody::moves);
            line(lines, "kept", PeriodBody::kept);
            line(lines, "broken", PeriodBody::broken);
            line(lines, "sla_compliance", PeriodBody::slaCompliance);
            Stream.of(current, before)
                    .flatMap(period -> period.revenue.stream())
                    .map(SignedMoneyBody::currency)
                    .distinct()
                    .sorted()
                    .forEach(currency -> {
                        lines.add(List.of("revenue", currency, current.revenue(currency), before.revenue(currency)));
                        lines.add(List.of("credits", currency, current.credit(currency), before.credit(currency)));
                    });
            return lines.stream();
        }

        private void line(List<List<String>> lines, String figure, Function<PeriodBody, @Nullable Object> value) {
            lines.add(List.of(figure, "", text(value.apply(current)), text(value.apply(before))));
        }

        private static String text(@Nullable Object value) {
            return switch (value) {
                case null -> "";
                case BigDecimal number -> number.toPlainString();
                case Double share -> BigDecimal.valueOf(share).toPlainString();
                default -> value.toString();
            };
        }
    }

    /**
     * The figures of a period.
     *
     * @param from start of the period
     * @param to end of the period
     * @param peHours PE-hours of the clusters
     * @param bookedShare booked of available PE-hours; null if none were available, and for an owner of a project
     * @param usedShare used of available PE-hours; null if none were available, and for an owner of a project
     * @param requests number of requests for reservations that were decided; null for a project, because refused requests are counted for
     *     all together. Refused requests are counted by whole hours
     * @param accepted number of requests that were accepted
     * @param acceptance accepted of decided requests; null if there were none, and for a project
     * @param moves how often reservations were moved
     * @param kept number of reservations that completed
     * @param broken number of reservations that failed
     * @param slaCompliance the share of completed reservations among those that completed or failed; null if there were none
     * @param revenue prices owed for the reservations that ended, less what was taken off earlier ones, one amount for each currency
     * @param credits credits for failures and for lost PEs, one amount for each currency
     */
    @Schema(name = "ReportedPeriod")
    record PeriodBody(
            Instant from,
            Instant to,
            ClusterHoursBody peHours,
            @Nullable Double bookedShare,
            @Nullable Double usedShare,
            @Nullable Long requests,
            long accepted,
            @Nullable Double acceptance,
            long moves,
            long kept,
            long broken,
            @Nullable Double slaCompliance,
            List<SignedMoneyBody> revenue,
            List<MoneyBody> credits) {

        private String revenue(String currency) {
            return revenue.stream()
                    .filter(sum -> sum.currency().equals(currency))
                    .findAny()
                    .map(SignedMoneyBody::amount)
                    .orElse("0");
        }

        private String credit(String currency) {
            return credits.stream()
                    .filter(sum -> currency.equals(sum.currency()))
                    .findAny()
                    .flatMap(sum -> Optional.ofNullable(sum.amount()))
                    .orElse("0");
        }
    }

    /**
     * PE-hours of clusters.
     *
     * @param total PE-hours that the clusters had, by their sizes over time; null for an owner of a project
     * @param outOfService PE-hours that outages took; null for an owner of a project
     * @param available total − outOfService; null for an owner of a project
     * @param booked PE-hours that were reserved or taken by batch jobs, including the rest of a run that ended early
     * @param used PE-hours that runs and batch jobs have had until now
     */
    @Schema(name = "ReportedPeHours")
    record ClusterHoursBody(
            @Nullable BigDecimal total,
            @Nullable BigDecimal outOfService,
            @Nullable BigDecimal available,
            BigDecimal booked,
            BigDecimal used) {

        static ClusterHoursBody of(Capacity.Step step, boolean showsCapacity) {
            return new ClusterHoursBody(
                    showsCapacity ? Amounts.hours(step.all()) : null,
                    showsCapacity ? Amounts.hours(step.outOfService()) : null,
                    showsCapacity ? Amounts.hours(step.available()) : null,
                    Amounts.hours(step.booked()),
                    Amounts.hours(step.used()));
        }
    }

    PeriodBody body() {
        long possible = showsCapacity ? step.available() : 0;
        @Nullable Long requests = refused.isPresent() ? accepted + refused.getAsLong() : null;
        return new PeriodBody(
                Texts.instant(period.start()),
                Texts.instant(period.end()),
                ClusterHoursBody.of(step, showsCapacity),
                Amounts.share(step.booked(), possible),
                Amounts.share(step.used(), possible),
                requests,
                accepted,
                requests == null ? null : Amounts.share(accepted, requests),
                moves,
                kept,
                broken,
                Amounts.share(kept, kept + broken),
                amounts.revenue(),
                amounts.credits());
    }
}
