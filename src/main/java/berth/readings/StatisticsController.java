package berth.readings;

import berth.booking.web.ClusterLookup;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.Decisions;
import berth.engine.Records.JobFigures;
import berth.engine.Records.Quality;
import berth.engine.Records.StartFigures;
import berth.engine.Records.Statistics;
import berth.engine.Records.Whose;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.readings.UtilisationSum.BookedAheadBody;
import berth.time.Slot;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reads the statistics of a cluster. */
@RestController
@Tag(name = "Cluster readings")
@RequestMapping("/api/v1/clusters/{id}")
class StatisticsController {

    private final Desks desks;
    private final Records records;
    private final ClusterLookup lookup;
    private final Readings readings;

    StatisticsController(Desks desks, Records records, ClusterLookup lookup, Readings readings) {
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.readings = readings;
    }

    /**
     * Figures of a cluster over a period.
     *
     * @param from start of the period
     * @param to end of the period
     * @param starts figures on the promised and actual starts of reservations
     * @param jobs figures of the batch jobs
     */
    record StatisticsBody(
            Instant from,
            Instant to,
            @JsonUnwrapped DecisionsBody decisions,
            @JsonUnwrapped EarningsBody earnings,
            @JsonUnwrapped QualityBody quality,
            StartsBody starts,
            JobFiguresBody jobs) {}

    /**
     * Decisions on reservations.
     *
     * @param requests number of requests for reservations that were decided
     * @param accepted number of those requests that were accepted
     * @param refused number of those requests that were rejected, by problem code; counted by whole hours
     * @param moves how often reservations were moved
     * @param movesPerAccepted {@code moves} divided by {@code accepted}; null if no request was accepted
     */
    record DecisionsBody(
            long requests,
            long accepted,
            Map<String, Long> refused,
            long moves,
            @Nullable Double movesPerAccepted) {

        private static DecisionsBody of(Decisions figures) {
            long accepted = figures.accepted();
            long refused = figures.refused().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return new DecisionsBody(
                    accepted + refused,
                    accepted,
                    figures.refused(),
                    figures.moved(),
                    accepted == 0 ? null : rounded((double) figures.moved() / accepted));
        }
    }

    /**
     * Prices and credits.
     *
     * @param revenue prices owed for the reservations that ended, one amount for each currency
     * @param bookedAhead prices owed for the reservations that are live now, regardless of the period
     * @param credits credits for failures and for lost PEs, one amount for each currency
     */
    record EarningsBody(List<MoneyBody> revenue, BookedAheadBody bookedAhead, List<MoneyBody> credits) {}

    /**
     * How well the reservations that ended were served.
     *
     * @param slaCompliance the share of completed reservations among those that completed or failed; null if there were none
     * @param meanSlowdown mean slowdown of the completed reservations: the time from ready time to end, divided by the time in which the
     *     reservation had PEs; null if there were none
     * @param meanPhi mean distance of the accepted alternatives from the requested window, in run times; null if there were none
     */
    record QualityBody(
            @Nullable Double slaCompliance,
            @Nullable Double meanSlowdown,
            @Nullable Double meanPhi) {

        private static QualityBody of(Quality figures) {
            long ended = figures.completed() + figures.failed();
            return new QualityBody(
                    ended == 0 ? null : rounded((double) figures.completed() / ended),
                    orNull(figures.meanSlowdown()),
                    orNull(figures.meanPhi()));
        }
    }

    /**
     * Figures on the start of reservations.
     *
     * @param immediateShare the share of accepted reservations that were promised an immediate start; null if there were none
     * @param futureShare the share of accepted reservations that were promised a later start; null if there were none
     * @param meanOffset mean absolute difference between the start promised on acceptance and the actual start, over the reservations that
     *     started; null if none started
     */
    record StartsBody(
            @Nullable Double immediateShare,
            @Nullable Double futureShare,
            @Nullable String meanOffset) {}

    /**
     * Figures of batch jobs. Jobs of an outside batch system count only in {@code waiting}.
     *
     * @param submitted number of jobs that joined the queue
     * @param started number of jobs that started
     * @param completed number of jobs that completed or reached their estimate
     * @param cancelled number of jobs that were cancelled
     * @param meanWait mean time from submission to start, over the jobs that started; null if there were none
     * @param waiting number of jobs that wait now
     */
    record JobFiguresBody(
            long submitted,
            long started,
            long completed,
            long cancelled,
            @Nullable String meanWait,
            int waiting) {}

    /**
     * Reads figures of a cluster over a period.
     *
     * @param from start of the period; 30 days before {@code to} if left out
     * @param to end of the period; now if left out
     */
    @GetMapping("/statistics")
    StatisticsBody readStatistics(
            @PathVariable String id, @RequestParam @Nullable String from, @RequestParam @Nullable String to) {
        var schedule = lookup.schedule(id);
        var cluster = schedule.cluster().id();
        var waiting = schedule.jobs().waiting().size();
        var fields = new Fields();
        var end = fields.instantUp("to", to);
        long last = end.orElse(readings.now() + 1);
        long first = fields.instantDown("from", from).orElse(Math.max(0, last - 30 * Readings.DAY));
        var range = Readings.slot(fields, first, last, to);
        desks.recordRefusals();
        var ahead = new UtilisationSum(range, readings.now());
        records.owed(cluster, Whose.ALL, Optional.empty(), Integer.MAX_VALUE).forEach(ahead::add);
        return body(range, records.statistics(cluster, range), ahead.bookedAhead(), waiting);
    }

    private static StatisticsBody body(Slot range, Statistics figures, BookedAheadBody ahead, int waiting) {
        return new StatisticsBody(
                Texts.instant(range.start()),
                Texts.instant(range.end()),
                DecisionsBody.of(figures.decisions()),
                new EarningsBody(
                        figures.revenue().stream().map(MoneyBody::of).toList(),
                        ahead,
                        figures.credits().stream().map(MoneyBody::of).toList()),
                QualityBody.of(figures.quality()),
                body(figures.starts()),
                body(figures.jobs(), waiting));
    }

    private static StartsBody body(StartFigures figures) {
        long all = figures.immediate() + figures.future();
        return new StartsBody(
                all == 0 ? null : rounded((double) figures.immediate() / all),
                all == 0 ? null : rounded((double) figures.future() / all),
                seconds(figures.meanOffset()));
    }

    private static JobFiguresBody body(JobFigures figures, int waiting) {
        return new JobFiguresBody(
                figures.submitted(),
                figures.started(),
                figures.completed(),
                figures.cancelled(),
                seconds(figures.meanWait()),
                waiting);
    }

    private static @Nullable String seconds(OptionalDouble figure) {
        return figure.isPresent() ? Texts.duration(Math.round(figure.getAsDouble())) : null;
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? rounded(figure.getAsDouble()) : null;
    }

    private static double rounded(double figure) {
        return BigDecimal.valueOf(figure).setScale(6, RoundingMode.HALF_UP).doubleValue();
    }
}
