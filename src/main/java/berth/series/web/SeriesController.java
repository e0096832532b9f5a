package berth.series.web;

import static berth.http.ProblemCode.BUDGET_EXCEEDED;
import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NEEDS_APPROVAL;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NOT_FOUND;
import static berth.http.ProblemCode.NO_SLOT;
import static berth.http.ProblemCode.OVER_BUDGET;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Access;
import berth.accounts.Account;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.booking.web.RefusedRequests.Wish;
import berth.booking.web.Remedies;
import berth.booking.web.Remedies.Wanted;
import berth.booking.web.Remedies.WouldFitBody;
import berth.booking.web.ReservationBodies;
import berth.booking.web.ReservationBody;
import berth.booking.web.Rights;
import berth.engine.Answer;
import berth.http.EntityTag;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.refusals.RefusedRequest.Kind;
import berth.reservation.Reservation;
import berth.reservation.SeriesId;
import berth.scheduling.Rejection;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.SeriesBookings;
import berth.series.SeriesBookings.Decided;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Series of reservations: the same run on many days. */
@RestController
@RequestMapping("/api/v1/series")
class SeriesController {

    /** The largest number of refused occurrences for which a response shows the changes that would make them fit. */
    private static final int MAX_REMEDIES = 5;

    private final SeriesBookings bookings;
    private final SeriesRequests requests;
    private final Rights rights;
    private final ReservationBodies reservations;
    private final Remedies remedies;

    SeriesController(
            SeriesBookings bookings,
            SeriesRequests requests,
            Rights rights,
            ReservationBodies reservations,
            Remedies remedies) {
        this.bookings = bookings;
        this.requests = requests;
        this.rights = rights;
        this.reservations = reservations;
        this.remedies = remedies;
    }

    /**
     * Reserves the same run on many days. Berth books the occurrences within the cluster's horizon in one step: all of them, or as many as
     * possible if {@code onConflict} or {@code atLeast} allows it. It decides each later occurrence once, as soon as the horizon reaches
     * it. Each occurrence is a reservation of its own, and can be moved, renegotiated or cancelled without the others. A refused occurrence
     * is reported by an event {@code rejected}, and can be requested again. With {@code replaces} another series ends in the same step, on
     * the day before.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({
        NOT_FOUND,
        NO_SLOT,
        OVER_BUDGET,
        LIMIT_EXCEEDED,
        BUDGET_EXCEEDED,
        NEEDS_APPROVAL,
        INVALID_TERMS,
        NEVER_FITS,
        ELSEWHERE
    })
    ResponseEntity<SeriesBody> createSeries(
            @RequestBody NewSeriesBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var asked = requests.read(body, key, account);
        asked.series().replaces().ifPresent(old -> requireReplaceable(old.series(), asked.series(), account));
        if (Boolean.TRUE.equals(body.dryRun())) {
            requests.requireAllowed(asked.series(), account);
            var decided = Refusals.done(bookings.preview(asked.series(), account.limits()), asked.sent());
            return ResponseEntity.ok(
                    SeriesBody.supposed(asked.series(), decided, would(asked.series(), decided, account)));
        }
        var series = remedies.refusedRequests()
                .noting(() -> wish(asked.series(), asked.series().planned().getFirst()), () -> {
                    requests.requireAllowed(asked.series(), account);
                    return Refusals.done(
                            bookings.create(
                                    asked.series(), account.limits(), asked.first(), asked.atLeast(), asked.key()),
                            asked.sent());
                });
        return ResponseEntity.created(URI.create("/api/v1/series/" + series.id()))
                .body(body(series));
    }

    private void requireReplaceable(SeriesId id, Series by, Account account) {
        var old = changed(id.toString(), account);
        if (!old.cluster().equals(by.cluster())
                || !old.origin().owner().equals(by.origin().owner())) {
            throw Problem.field(
                    INVALID_TERMS,
                    "replaces.series",
                    id.toString(),
                    "is on another cluster or belongs to another account; end it, and request the new series on its own");
        }
    }

    /** Reads a series with the state of its occurrences. */
    @GetMapping("/{id}")
    SeriesBody readSeries(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return body(find(id, account));
    }

    /**
     * Lists series, newest first, without their occurrences. An account sees its own, and an administrator sees all. A member of a project
     * sees all series of the project by naming it in {@code project}.
     *
     * @param project the only project to list
     */
    @GetMapping
    Page<SeriesBody> listSeries(
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var filed = fields.label("project", project);
        fields.check();
        int most = Page.limit(limit);
        var olderThan = Optional.ofNullable(after)
                .map(cursor -> new SeriesId(Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor))));
        var whose = rights.listed(account, filed);
        Page.Source<Series> found =
                Page.Source.of(olderThan, Series::id, (last, some) -> bookings.list(whose, last, some));
        return Page.read(most, found, SeriesBody::of).page(series -> series.id().toString());
    }

    /**
     * The day from which a series ends.
     *
     * @param from the first day that is given up; today in the series' time zone, if left out
     */
    @Schema(name = "EndSeries")
    record EndBody(@Nullable String from) {}

    /** Ends a series. Cancels its occurrences from a given day on, except one that is running. Earlier occurrences stay. */
    @PostMapping("/{id}/end")
    SeriesBody endSeries(@PathVariable String id, @RequestBody EndBody body, @AuthenticationPrincipal Account account) {
        var series = changed(id, account);
        return body(Refusals.done(bookings.end(series.id(), requests.end(body, series)), RequestFields.fields(body)));
    }

    /** Requests an occurrence again, as it was planned, after it was refused or cancelled. */
    @PostMapping("/{id}/occurrences/{date}")
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({
        NO_SLOT,
        OVER_BUDGET,
        LIMIT_EXCEEDED,
        BUDGET_EXCEEDED,
        NEEDS_APPROVAL,
        INVALID_TERMS,
        NEVER_FITS,
        WRONG_STATE
    })
    ResponseEntity<ReservationBody> bookOccurrence(
            @PathVariable String id,
            @PathVariable String date,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var series = changed(id, account);
        var fields = new Fields();
        var day = RecurrenceBody.day("date", date, fields);
        fields.check();
        var planned = series.on(day.orElseThrow()).orElseThrow(() -> Problem.notFound("occurrence", date));
        var by = rights.inNameOf(account, series.origin());
        var use = requests.key(key, series, date, account);
        return switch (bookings.again(series, planned, by.limits(), use)) {
            case SeriesBookings.Again.Booked(var reservation) -> created(reservation);
            case SeriesBookings.Again.NotYet() ->
                throw new Problem(
                        WRONG_STATE,
                        "The occurrence has not been decided yet. Berth decides it as soon as the horizon reaches it.");
            case SeriesBookings.Again.TooLate(long latestStart) ->
                throw new Problem(
                        WRONG_STATE,
                        "The occurrence could begin only until %s. Reserve a run at another time instead."
                                .formatted(Texts.instant(latestStart)));
            case SeriesBookings.Again.IsThere(var reservation) ->
                throw new Problem(
                        WRONG_STATE,
                        "The occurrence already has the reservation %s. Cancel that reservation first."
                                .formatted(reservation.id()));
            case SeriesBookings.Again.NotDone(Answer.Refused(Rejection.InvalidTerms(var violations))) ->
                throw Problem.field(
                        INVALID_TERMS,
                        "date",
                        date,
                        "cannot be booked as the series plans it: its %s %s. Request another series"
                                .formatted(
                                        violations.getFirst().field(),
                                        violations.getFirst().message()));
            case SeriesBookings.Again.NotDone(var answer) ->
                throw remedies.refusedRequests()
                        .noted(
                                wish(series, planned),
                                remedies.elsewhere(answer, () -> wanted(series, planned, account)));
        };
    }

    private Wish wish(Series series, Planned planned) {
        return Wish.of(Kind.SERIES, series.origin(), series.cluster(), bookings.terms(series, planned));
    }

    private ResponseEntity<ReservationBody> created(Reservation reservation) {
        var body = reservations.of(reservation);
        return ResponseEntity.created(URI.create("/api/v1/reservations/" + reservation.id()))
                .eTag(EntityTag.of(body.version(), body))
                .body(body);
    }

    /** Returns a series that the account may change. */
    private Series changed(String id, Account account) {
        var series = find(id, account);
        Rights.requireActs(rights.access(account, series.origin()));
        return series;
    }

    private Series find(String id, Account account) {
        var value = Texts.uuid(id).orElseThrow(() -> Problem.noId("series", "id", id));
        return bookings.find(new SeriesId(value))
                .filter(found -> rights.access(account, found.origin()) != Access.NONE)
                .orElseThrow(() -> Problem.notFound("series", id));
    }

    private SeriesBody body(Series series) {
        return SeriesBody.of(series, bookings.decided(series.id()), Map.of());
    }

    /** Returns the changes that would make the first refused occurrences fit. */
    private Map<LocalDate, WouldFitBody> would(Series series, List<Decided> decided, Account account) {
        var would = new HashMap<LocalDate, WouldFitBody>();
        decided.stream()
                .filter(Decided.Refused.class::isInstance)
                .limit(MAX_REMEDIES)
                .forEach(refused -> series.on(refused.date())
                        .ifPresent(planned -> would.put(refused.date(), wouldFit(series, planned, account))));
        return would;
    }

    private WouldFitBody wouldFit(Series series, Planned planned, Account account) {
        var wanted = wanted(series, planned, account);
        return remedies.wouldFit(
                wanted,
                deadline -> series.span().later()
                        + deadline
                        - wanted.terms().deadline().orElseThrow());
    }

    private Wanted wanted(Series series, Planned planned, Account account) {
        return new Wanted(
                account, account.customer(), series.cluster(), bookings.terms(series, planned), Optional.empty());
    }
}
