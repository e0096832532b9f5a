package berth.series;

import berth.cluster.Cluster;
import berth.engine.AdmissionControl;
import berth.engine.Answer;
import berth.engine.Booking;
import berth.engine.Desks;
import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.Event;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.BookSeries.GivenUp;
import berth.series.Series.Planned;
import berth.series.SeriesBookings.Decided;
import berth.sla.AccountLimits;
import berth.sla.RequestedTerms;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Creates the requests for occurrences of series, and finds their results. */
final class Occurrences {

    /** The distance to keep from the horizon, in seconds, because the horizon has moved when the desk decides. */
    private static final long MARGIN = 60;

    private final Desks desks;
    private final AdmissionControl admission;
    private final SeriesStore store;
    private final Supplier<ReservationId> ids;
    private final InstantSource clock;

    Occurrences(
            Desks desks,
            AdmissionControl admission,
            SeriesStore store,
            Supplier<ReservationId> ids,
            InstantSource clock) {
        this.desks = desks;
        this.admission = admission;
        this.store = store;
        this.ids = ids;
        this.clock = clock;
    }

    /** Returns how many occurrences of a series are within its cluster's horizon at present. */
    int within(Series series) {
        var cluster = cluster(series);
        return series.within(now() + cluster.policy().horizon() - MARGIN, cluster.rating());
    }

    private Cluster cluster(Series series) {
        return desks.schedule(series.cluster()).orElseThrow().cluster();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Returns the requested terms of an occurrence. */
    RequestedTerms terms(Series series, Planned occurrence) {
        return series.terms(occurrence, cluster(series), now());
    }

    /** Returns the booking of an occurrence, as of any run. */
    Booking booking(Series series, Planned occurrence, AccountLimits of) {
        return new Booking(series.origin().owner(), of, series.request(ids.get(), occurrence, cluster(series), now()));
    }

    /**
     * Returns the booking of several occurrences, which first cancels those that the series takes over from another one.
     *
     * @param atLeast how many must be granted
     */
    Booking booking(Series series, List<Planned> occurrences, int atLeast, AccountLimits of) {
        return new Booking(series.origin().owner(), of, command(series, occurrences, atLeast));
    }

    private BookSeries command(Series series, List<Planned> occurrences, int atLeast) {
        var on = cluster(series);
        long now = now();
        return new BookSeries(
                series.replaces()
                        .map(old -> new GivenUp(old.series(), series.origin().owner(), old.from())),
                occurrences.stream()
                        .map(one -> series.request(ids.get(), one, on, now))
                        .toList(),
                atLeast,
                series.priority());
    }

    /** Returns how the occurrences within the horizon would be decided now, if any number were enough. */
    Outcome<List<Decided>, Answer> preview(Series series, AccountLimits of) {
        var first = series.planned().subList(0, within(series));
        return switch (admission
                .trial(series.cluster(), booking(series, first, 0, of))
                .answer()) {
            case Answer.Done(var events) ->
                new Outcome.Done<>(events.stream()
                        .flatMap(event -> decided(event, series.id()))
                        .toList());
            case Answer answer -> new Outcome.NotDone<>(answer);
        };
    }

    private static Stream<Decided> decided(Event event, SeriesId series) {
        return switch (event) {
            case Event.ReservationEvent(var _, var reservation, var _, var _, var _, var _) ->
                booked(reservation, series);
            case Event.RequestEvent(var _, var request, var _) -> refused(request, series);
            default -> Stream.empty();
        };
    }

    /** Returns the results of a series' occurrences in the order in which they were requested. */
    List<Decided> decided(SeriesId id) {
        var decided = new TreeMap<String, Decided>();
        store.booked(id)
                .forEach(one ->
                        booked(one, id).forEach(it -> decided.put(one.id().toString(), it)));
        store.refused(id)
                .forEach(one ->
                        refused(one, id).forEach(it -> decided.put(one.id().toString(), it)));
        return List.copyOf(decided.values());
    }

    private static Stream<Decided> booked(Reservation reservation, SeriesId series) {
        return reservation.origin().occurrence().stream()
                .filter(one -> one.series().equals(series))
                .map(one -> new Decided.Booked(one.date(), reservation));
    }

    private static Stream<Decided> refused(IntakeRequest request, SeriesId series) {
        return request.origin().occurrence().stream()
                .filter(one -> one.series().equals(series))
                .map(one -> new Decided.Refused(one.date(), request.reason().orElseThrow()));
    }

    /** Returns the live reservation of an occurrence, if it has one. */
    Optional<Reservation> live(Series series, Planned occurrence) {
        return store.booked(series.id()).stream()
                .filter(one -> one.state().isLive())
                .filter(one -> one.origin()
                        .occurrence()
                        .filter(which -> which.date().equals(occurrence.date()))
                        .isPresent())
                .findAny();
    }
}
