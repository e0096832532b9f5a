package berth.series.web;

import berth.accounts.Account;
import berth.booking.policy.PolicyHook;
import berth.booking.terms.TermsBody;
import berth.booking.web.ClusterLookup;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.booking.web.ReserveRequests;
import berth.booking.web.Rights;
import berth.cluster.Cluster;
import berth.cluster.IntakeOrder;
import berth.cluster.Policy;
import berth.engine.KeyUse;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.SeriesId;
import berth.series.Series;
import berth.series.Series.Replaced;
import berth.series.Series.Span;
import berth.series.SeriesBookings;
import berth.series.SeriesState;
import berth.series.web.NewSeriesBody.OnConflict;
import berth.series.web.NewSeriesBody.ReplacesBody;
import berth.series.web.NewSeriesBody.SeriesWindowBody;
import berth.series.web.SeriesController.EndBody;
import berth.sla.AccountLimits;
import berth.sla.RequestedTerms;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads requests for series. */
@Component
class SeriesRequests {

    /** The largest number of occurrences within the horizon. */
    private static final int MAX_AT_ONCE = 400;

    /** The largest number of places to search at once: occurrences times shapes times steps. */
    private static final int MAX_SEARCHES = 2_000;

    private final ClusterLookup clusters;
    private final SeriesBookings bookings;
    private final Rights rights;
    private final IdempotencyKeys keys;
    private final PolicyHook policy;
    private final InstantSource clock;
    private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    SeriesRequests(
            ClusterLookup clusters,
            SeriesBookings bookings,
            Rights rights,
            IdempotencyKeys keys,
            PolicyHook policy,
            InstantSource clock) {
        this.clusters = clusters;
        this.bookings = bookings;
        this.rights = rights;
        this.keys = keys;
        this.policy = policy;
        this.clock = clock;
    }

    /**
     * A request for a series, read from its body.
     *
     * @param first how many of its occurrences lie within the horizon
     * @param atLeast how many of these must be granted
     */
    record SeriesRequest(
            NewSeriesBody body, Series series, AccountLimits limits, int first, int atLeast, Optional<KeyUse> key) {

        /** Returns the fields of the request, for errors that name them. */
        RequestFields sent() {
            return RequestFields.terms(body);
        }
    }

    /**
     * Reads a request for a series.
     *
     * @throws Problem if a field is wrong, or if there is no such cluster
     */
    SeriesRequest read(NewSeriesBody body, @Nullable String key, Account account) {
        var fields = new Fields(body);
        var cluster = fields.required("cluster", body.cluster(), "");
        var origin = new Origin(account.name(), account.serviceClass(), fields.checked(body.labels()))
                .withUsers(ReserveRequests.users(body.users(), fields));
        var terms = TermsBody.read(body.terms(), fields, clock.instant().getEpochSecond());
        if (body.terms() != null) {
            absent("terms.readyTime", body.terms().window().readyTime(), fields);
            absent("terms.deadline", body.terms().window().deadline(), fields);
            absent("terms.slack", body.terms().window().slack(), fields);
            if (terms.duration() < 1) {
                fields.invalid("terms.duration", body.terms().duration(), "must be longer than zero");
            }
            if (body.terms().autoExtend() != null) {
                fields.invalid(
                        "terms.autoExtend",
                        Texts.orNull(terms.autoExtension().map(how -> Texts.duration(how.step()))),
                        "is only for a single run, because it ends at one instant; leave it out, or request it for each occurrence");
            }
        }
        var recurrence = RecurrenceBody.read(body.recurrence(), fields);
        var span = span(body.window(), fields);
        if (!terms.mobility().areNone() && span.equals(new Span(0, 0))) {
            fields.invalid(
                    "terms.mobility",
                    null,
                    "needs freedom: without a window, each occurrence stays at its planned start; send a window, or leave this out");
        }
        var until =
                body.until() == null ? Optional.<LocalDate>empty() : RecurrenceBody.day("until", body.until(), fields);
        var count = body.count() == null ? OptionalInt.empty() : OptionalInt.of(body.count());
        RecurrenceBody.checkEnd(count, until, fields);
        var replaces = replaces(body.replaces(), fields);
        fields.check();
        rights.requireFiling(account, origin.project());
        var there = clusters.schedule(cluster).cluster();
        var planned = RecurrenceBody.occurrences(
                recurrence, count, until, 0, clock.instant().getEpochSecond(), fields);
        fields.check();
        var series = new Series(
                new SeriesId(ids.generate()),
                new ClusterId(cluster),
                origin,
                account.priority(),
                terms,
                recurrence,
                span,
                planned,
                0,
                SeriesState.BOOKING,
                replaces,
                Optional.empty(),
                0,
                clock.instant().getEpochSecond());
        int first = bookings.within(series);
        check(series, first, there, fields);
        int atLeast = atLeast(body, first, fields);
        fields.check();
        return new SeriesRequest(
                body, series, account.limits(), first, atLeast, keys.use(key, account, "series", body));
    }

    /**
     * Checks that the site's policy allows a series.
     *
     * @throws Problem if it does not, or does not answer
     */
    void requireAllowed(Series series, Account account) {
        Refusals.requireAllowed(
                policy.ask(
                        PolicyHook.Kind.SERIES,
                        account.customer(),
                        account.name(),
                        series.origin().project(),
                        Optional.of(series.cluster()),
                        series.terms()),
                account);
    }

    /** Returns the first day that the series gives up. */
    LocalDate end(EndBody body, Series series) {
        var fields = new Fields(body);
        var from = body.from() == null
                ? Optional.of(
                        LocalDate.ofInstant(clock.instant(), series.recurrence().zone()))
                : RecurrenceBody.day("from", body.from(), fields);
        fields.check();
        return from.orElseThrow();
    }

    /** Returns the use of the idempotency key of a call for an occurrence, if it has one. */
    Optional<KeyUse> key(@Nullable String header, Series series, String date, Account account) {
        return keys.use(header, account, "occurrence %s %s".formatted(series.id(), date), Map.of());
    }

    private static void absent(String field, @Nullable String value, Fields fields) {
        if (value != null) {
            fields.invalid(
                    field, value, "is set by the recurrence; leave it out, and send a window to allow other starts");
        }
    }

    private static Span span(@Nullable SeriesWindowBody window, Fields fields) {
        return window == null
                ? new Span(0, 0)
                : new Span(
                        notNegative("window.earliest", window.earliest(), fields),
                        notNegative("window.slack", window.slack(), fields));
    }

    private static long notNegative(String field, @Nullable String text, Fields fields) {
        long seconds = fields.durationUp(field, text).orElse(0);
        if (seconds < 0 || seconds > Policy.MAX_HORIZON) {
            fields.invalid(field, text, "must lie between zero and ten years");
            return 0;
        }
        return seconds;
    }

    private static Optional<Replaced> replaces(@Nullable ReplacesBody body, Fields fields) {
        if (body == null) {
            return Optional.empty();
        }
        var id = Texts.uuid(fields.required("replaces.series", body.series(), ""));
        if (id.isEmpty()) {
            fields.malformed("replaces.series", body.series(), "must be the id of a series");
        }
        return RecurrenceBody.day("replaces.from", body.from(), fields)
                .flatMap(from -> id.map(series -> new Replaced(new SeriesId(series), from)));
    }

    private static void check(Series series, int first, Cluster there, Fields fields) {
        if (there.intake().order() == IntakeOrder.DPSAR) {
            fields.invalid(
                    "cluster",
                    there.id().value(),
                    "collects requests; choose a cluster that decides each request as it comes");
        }
        if (first > MAX_AT_ONCE) {
            fields.invalid(
                    "recurrence.rrule",
                    series.recurrence().rrule(),
                    "has %d occurrences within the cluster's horizon; the maximum is %d".formatted(first, MAX_AT_ONCE));
        }
        int places = series.terms().weight();
        if ((long) places * first > MAX_SEARCHES) {
            fields.invalid(
                    "terms",
                    null,
                    "have %d shapes and steps for each of %d occurrences, which is more than %d in total; allow fewer"
                            .formatted(places, first, MAX_SEARCHES));
        }
        long runTime = RequestedTerms.runTime(series.terms().duration(), there.rating());
        RecurrenceBody.checkGap("terms.duration", runTime, series.planned(), fields);
        if (series.replaces().isPresent() && first == 0) {
            fields.invalid(
                    "replaces",
                    null,
                    "needs an occurrence within the cluster's horizon, but the first lies beyond it; end the other series, and request this one later");
        }
    }

    private static int atLeast(NewSeriesBody body, int first, Fields fields) {
        if (body.atLeast() == null) {
            return body.onConflict() == OnConflict.ANY ? Math.min(1, first) : first;
        }
        if (body.onConflict() != null) {
            fields.invalid("atLeast", body.atLeast(), "cannot be combined with onConflict; send one of them");
        }
        if (body.atLeast() < 1 || body.atLeast() > MAX_AT_ONCE) {
            fields.invalid("atLeast", body.atLeast(), "must lie between 1 and " + MAX_AT_ONCE);
        }
        return Math.min(body.atLeast(), first);
    }
}
