package berth.rest;

import berth.reservation.RefusalCode;
import berth.rest.NewSeriesBody.SeriesWindowBody;
import berth.rest.Remedies.WouldFitBody;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.SeriesBookings.Decided;
import berth.series.SeriesState;
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
 * @param cluster where
 * @param name the client's own label
 * @param project what the client files it under
 * @param owner the account that asked for it
 * @param state how far it has come
 * @param terms of each occurrence
 * @param recurrence on which days, and when
 * @param window how far from that each occurrence may begin
 * @param bookedUntil the last day whose occurrence has been decided; null if none has been
 * @param occurrences all that are known, in the order of their days; null in lists
 * @param createdAt when it was asked for
 */
@Schema(name = "Series")
record SeriesBody(
        @Nullable UUID id,
        String cluster,
        @Nullable String name,
        @Nullable String project,
        String owner,
        @Nullable SeriesState state,
        TermsBody terms,
        RecurrenceBody recurrence,
        SeriesWindowBody window,
        @Nullable String bookedUntil,
        @Nullable List<OccurrenceBody> occurrences,
        Instant createdAt) {

    /** What has become of an occurrence. */
    enum OccurrenceState {
        /** It has a reservation, whose own state says more. */
        BOOKED,
        /** There was no room for it, or something else was in its way. */
        REFUSED,
        /** It is decided as soon as the horizon reaches it. */
        AHEAD,
        /** It was decided, and what has become of it is kept no longer. */
        PAST
    }

    /**
     * An occurrence of a series.
     *
     * @param date its day, by which it is known for good
     * @param plannedStart when it is to begin by the recurrence; null if it was given up
     * @param state what has become of it
     * @param reservation its reservation; null unless it is booked
     * @param reservationState where that stands
     * @param start when it begins
     * @param end when it ends
     * @param price what it owes
     * @param reason the code of why it was refused
     * @param wouldFit by how much it must give way; only in the answer to a request, for the first that are refused
     */
    @Schema(name = "Occurrence")
    record OccurrenceBody(
            String date,
            @Nullable Instant plannedStart,
            OccurrenceState state,
            @Nullable UUID reservation,
            @Nullable ReservationState reservationState,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable MoneyBody price,
            @Nullable String reason,
            @Nullable WouldFitBody wouldFit) {

        private static OccurrenceBody of(LocalDate date, @Nullable Instant planned, OccurrenceState state) {
            return new OccurrenceBody(date.toString(), planned, state, null, null, null, null, null, null, null);
        }

        private static OccurrenceBody of(Decided decided, @Nullable Instant planned, @Nullable WouldFitBody would) {
            return switch (decided) {
                case Decided.Booked(var date, var reservation) ->
                    new OccurrenceBody(
                            date.toString(),
                            planned,
                            OccurrenceState.BOOKED,
                            reservation.id().value(),
                            ReservationState.of(reservation.state()),
                            Texts.instant(reservation.slot().start()),
                            Texts.instant(reservation.slot().end()),
                            MoneyBody.of(reservation.price()),
                            null,
                            null);
                case Decided.Refused(var date, RefusalCode why) ->
                    new OccurrenceBody(
                            date.toString(),
                            planned,
                            OccurrenceState.REFUSED,
                            null,
                            null,
                            null,
                            null,
                            null,
                            why.word(),
                            would);
            };
        }

        private OccurrenceBody withoutReservation() {
            return new OccurrenceBody(date, plannedStart, state, null, null, start, end, price, reason, wouldFit);
        }
    }

    /** In a list. */
    static SeriesBody of(Series series) {
        return of(series, null, series.id().value(), series.state());
    }

    /**
     * With its occurrences.
     *
     * @param decided of each day in the order in which it was asked for: the last counts
     * @param would what would fit instead of those that were refused
     */
    static SeriesBody of(Series series, List<Decided> decided, Map<LocalDate, WouldFitBody> would) {
        return of(series, occurrences(series, decided, would), series.id().value(), series.state());
    }

    /** What it would be. */
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
                series.cluster().value(),
                Texts.orNull(origin.name()),
                Texts.orNull(origin.project()),
                origin.owner().value(),
                state,
                TermsBody.of(series.terms()),
                RecurrenceBody.of(series.recurrence()),
                new SeriesWindowBody(
                        Texts.duration(series.span().earlier()),
                        Texts.duration(series.span().later())),
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
