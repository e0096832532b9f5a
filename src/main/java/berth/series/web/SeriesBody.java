package berth.series.web;

import berth.booking.terms.TermsBody;
import berth.booking.web.Remedies.WouldFitBody;
import berth.booking.web.ReservationOrRequestState;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.ClientLabels;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.SeriesBookings.Decided;
import berth.series.SeriesState;
import berth.series.web.NewSeriesBody.SeriesWindowBody;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A series of reservations.
 *
 * @param id made by the service; null if nothing was booked
 * @param state the current state
 * @param bookedUntil the last day whose occurrence has been decided; null if none has been
 * @param occurrences all known occurrences, by their days; null in lists
 * @param createdAt when it was requested
 */
@Schema(name = "Series")
record SeriesBody(
        @Nullable UUID id,
        @JsonUnwrapped SeriesOriginBody filed,
        @Nullable SeriesState state,
        @JsonUnwrapped RunsBody runs,
        @Nullable String bookedUntil,
        @Nullable List<OccurrenceBody> occurrences,
        Instant createdAt) {

    /**
     * Where a series belongs.
     *
     * @param cluster the cluster on which the series runs
     * @param owner the account that requested it
     */
    record SeriesOriginBody(String cluster, @JsonUnwrapped ClientLabels labels, String owner) {}

    /**
     * The runs of a series.
     *
     * @param terms the terms of each occurrence
     * @param recurrence the days and the time of the occurrences
     * @param window how far from its planned start each occurrence may begin
     */
    record RunsBody(TermsBody terms, RecurrenceBody recurrence, SeriesWindowBody window) {}

    /** The state of an occurrence. */
    enum OccurrenceState {
        /** It has a reservation, which has a state of its own. */
        BOOKED,
        /** It was refused: there was no room, or something else prevented it. */
        REFUSED,
        /** Berth decides it as soon as the horizon reaches it. */
        AHEAD,
        /** It was decided, and Berth no longer keeps the result. */
        PAST
    }

    /**
     * An occurrence of a series.
     *
     * @param date its day, which always identifies it
     * @param plannedStart the start by the recurrence; null if the series has given the occurrence up
     * @param state the state of the occurrence
     * @param reason the code of the refusal
     * @param wouldFit the changes that would make the occurrence fit; only in the response to a request, and only for the first refused
     *     occurrences
     */
    @Schema(name = "Occurrence")
    record OccurrenceBody(
            String date,
            @Nullable Instant plannedStart,
            OccurrenceState state,
            @JsonUnwrapped BookedBody booked,
            @Nullable String reason,
            @Nullable WouldFitBody wouldFit) {

        private static OccurrenceBody of(LocalDate date, @Nullable Instant planned, OccurrenceState state) {
            return new OccurrenceBody(date.toString(), planned, state, BookedBody.NONE, null, null);
        }

        private static OccurrenceBody of(Decided decided, @Nullable Instant planned, @Nullable WouldFitBody would) {
            return switch (decided) {
                case Decided.Booked(var date, var reservation) ->
                    new OccurrenceBody(
                            date.toString(), planned, OccurrenceState.BOOKED, BookedBody.of(reservation), null, null);
                case Decided.Refused(var date, RefusalCode why) ->
                    new OccurrenceBody(
                            date.toString(), planned, OccurrenceState.REFUSED, BookedBody.NONE, why.word(), would);
            };
        }

        private OccurrenceBody withoutReservation() {
            return new OccurrenceBody(date, plannedStart, state, booked.supposed(), reason, wouldFit);
        }
    }

    /**
     * The reservation of an occurrence.
     *
     * @param reservation its reservation; null unless it is booked
     * @param reservationState the state of the reservation
     * @param start when the reservation begins
     * @param end when the reservation ends
     * @param price what the reservation owes
     */
    record BookedBody(
            @Nullable UUID reservation,
            @Nullable ReservationOrRequestState reservationState,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable MoneyBody price) {

        private static final BookedBody NONE = new BookedBody(null, null, null, null, null);

        private static BookedBody of(Reservation reservation) {
            return new BookedBody(
                    reservation.id().value(),
                    ReservationOrRequestState.of(reservation.state()),
                    Texts.instant(reservation.slot().start()),
                    Texts.instant(reservation.slot().end()),
                    MoneyBody.of(reservation.price()));
        }

        private BookedBody supposed() {
            return new BookedBody(null, null, start, end, price);
        }
    }

    /** Returns the body of a series in a list. */
    static SeriesBody of(Series series) {
        return of(series, null, series.id().value(), series.state());
    }

    /**
     * Returns the body of a series with its occurrences.
     *
     * @param decided the results of the days, in the order of the requests: the last result of a day counts
     * @param would the changes that would make refused occurrences fit
     */
    static SeriesBody of(Series series, List<Decided> decided, Map<LocalDate, WouldFitBody> would) {
        return of(series, occurrences(series, decided, would), series.id().value(), series.state());
    }

    /** Returns the body of a series that was only tried. */
    static SeriesBody supposed(Series series, List<Decided> decided, Map<LocalDate, WouldFitBody> would) {
        var occurrences = occurrences(series, decided, would).stream()
                .map(OccurrenceBody::withoutReservation)
                .toList();
        return of(series, occurrences, null, null);
    }

    private static SeriesBody of(
            Series series, @Nullable List<OccurrenceBody> occurrences, @Nullable UUID id, @Nullable SeriesState state) {
        var origin = series.origin();
        return new SeriesBody(
                id,
                new SeriesOriginBody(
                        series.cluster().value(),
                        origin.labels(),
                        origin.owner().value()),
                state,
                new RunsBody(
                        TermsBody.of(series.terms()),
                        RecurrenceBody.of(series.recurrence()),
                        new SeriesWindowBody(
                                Texts.duration(series.span().earlier()),
                                Texts.duration(series.span().later()))),
                Texts.orNull(series.bookedUntil().map(LocalDate::toString)),
                occurrences,
                Texts.instant(series.createdAt()));
    }

    private static List<OccurrenceBody> occurrences(
            Series series, List<Decided> decided, Map<LocalDate, WouldFitBody> would) {
        var last = new LinkedHashMap<LocalDate, Decided>();
        decided.forEach(one -> last.put(one.date(), one));
        var all = new TreeMap<LocalDate, OccurrenceBody>();
        for (int i = 0; i < series.planned().size(); i++) {
            var one = series.planned().get(i);
            var state = i < series.decided() ? OccurrenceState.PAST : OccurrenceState.AHEAD;
            all.put(one.date(), OccurrenceBody.of(one.date(), Texts.instant(one.start()), state));
        }
        last.forEach((date, one) -> {
            var planned = series.on(date).map(Planned::start).map(Texts::instant);
            all.put(date, OccurrenceBody.of(one, Texts.orNull(planned), would.get(date)));
        });
        return new ArrayList<>(all.values());
    }
}
