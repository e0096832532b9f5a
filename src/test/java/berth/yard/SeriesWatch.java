package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.OutageId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.SeriesId;
import berth.scheduling.Event;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.series.Maintenance;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.SeriesState;
import berth.series.WholeSeries;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Checks what is recorded of series and maintenances, and what clients are told, and fails at the first error. */
final class SeriesWatch {

    /** The states before a run begins. */
    private static final Set<ReservationState> AHEAD =
            EnumSet.of(ReservationState.HELD, ReservationState.PENDING, ReservationState.CONFIRMED);

    private final Watch watch;
    private final InstantSource latest;

    /** Every series that was ever requested. */
    private final Map<SeriesId, Asked> asked = new HashMap<>();

    /** The decisions on each occurrence. */
    private final Map<Occurrence, Fate> fates = new LinkedHashMap<>();

    /** The series that clients know to exist, by the name of the request's key. */
    private final Map<String, SeriesId> told = new HashMap<>();

    /** The day from which a series is known to have no occurrences. */
    private final Map<SeriesId, LocalDate> ended = new HashMap<>();

    private final Map<SeriesId, List<End>> ends = new HashMap<>();

    /** Occurrences that their owner wanted to cancel or change. */
    private final Set<ReservationId> cancelled = new HashSet<>();

    private final Set<ReservationId> changed = new HashSet<>();

    private final Map<UUID, Maintained> maintenances = new LinkedHashMap<>();
    private final Map<OutageId, Maintained> windows = new HashMap<>();
    private final Map<String, UUID> toldMaintenances = new HashMap<>();
    private long later;

    SeriesWatch(Watch watch, InstantSource latest) {
        this.watch = watch;
        this.latest = latest;
    }

    /**
     * A requested series.
     *
     * @param first how many of its occurrences must be decided at once
     * @param atLeast how many of these must be granted
     */
    record Asked(Series series, int first, int atLeast) {}

    /** The decisions on an occurrence. */
    private static final class Fate {
        private final List<ReservationId> booked = new ArrayList<>();
        private final List<Again> again = new ArrayList<>();
        private int refused;

        int decisions() {
            return booked.size() + refused;
        }

        void requireOnce(Occurrence occurrence) {
            long asked = again.stream().filter(one -> !one.isDenied).count();
            assertThat(decisions())
                    .as("how often %s was decided, asked for again %d times", occurrence, asked)
                    .isLessThanOrEqualTo((int) (1 + asked));
        }
    }

    /** A repeated request for an occurrence, which may be granted unless the client was told otherwise. */
    final class Again {
        private final Occurrence occurrence;
        private boolean isDenied;

        private Again(Occurrence occurrence) {
            this.occurrence = occurrence;
        }

        void again() {
            isDenied = false;
        }

        void denied() {
            isDenied = true;
            fate(occurrence).requireOnce(occurrence);
        }
    }

    /** A request for a series to have no occurrences from a day on. */
    static final class End {
        private final LocalDate from;
        private boolean isDenied;

        private End(LocalDate from) {
            this.from = from;
        }

        /** Notes that the client was told that nothing has changed. */
        void denied() {
            isDenied = true;
        }
    }

    /** A requested maintenance. */
    private static final class Maintained {
        private final Maintenance asked;
        private final Set<OutageId> recorded = new HashSet<>();
        private boolean isDenied;
        private boolean isCalledOff;

        Maintained(Maintenance asked) {
            this.asked = asked;
        }

        Planned window(OutageId outage) {
            return asked.planned().stream()
                    .filter(one -> asked.outage(one).equals(outage))
                    .findAny()
                    .orElseThrow();
        }

        void requireTruth() {
            assertThat(isDenied && !recorded.isEmpty())
                    .as("whether a maintenance was denied, and is recorded nevertheless: %s", asked)
                    .isFalse();
        }
    }

    private Fate fate(Occurrence occurrence) {
        return fates.computeIfAbsent(occurrence, _ -> new Fate());
    }

    // ---- requests

    void asks(Asked series) {
        asked.put(series.series().id(), series);
        series.series().replaces().ifPresent(old -> wantsEnd(old.series(), old.from()));
    }

    End wantsEnd(SeriesId series, LocalDate from) {
        var end = new End(from);
        ends.computeIfAbsent(series, _ -> new ArrayList<>()).add(end);
        return end;
    }

    Again wantsAgain(SeriesId series, LocalDate date) {
        var occurrence = new Occurrence(series, date);
        var again = new Again(occurrence);
        fate(occurrence).again.add(again);
        return again;
    }

    /** Whether an occurrence was decided and has no reservation. */
    boolean isFree(Occurrence occurrence) {
        var fate = fates.get(occurrence);
        return fate != null && fate.decisions() > 0 && live(occurrence).isEmpty();
    }

    /** Returns the live reservation of an occurrence. */
    Optional<Reservation> live(Occurrence occurrence) {
        return Optional.ofNullable(fates.get(occurrence)).stream()
                .flatMap(fate -> fate.booked.stream())
                .map(watch::present)
                .filter(one -> one.state().isLive())
                .findAny();
    }

    /** Whether a client knows that a series exists. */
    boolean isTold(SeriesId series) {
        return told.containsValue(series);
    }

    /** Returns how many occurrences were decided. */
    long decided() {
        return fates.values().stream().mapToInt(Fate::decisions).sum();
    }

    /** Returns how many of them were decided later, because the horizon reached them or a client asked again. */
    long later() {
        return later;
    }

    void wantsCancelled(ReservationId occurrence) {
        cancelled.add(occurrence);
    }

    void wantsChanged(ReservationId occurrence) {
        changed.add(occurrence);
    }

    void asks(Maintenance maintenance) {
        var wanted = new Maintained(maintenance);
        maintenances.put(maintenance.id(), wanted);
        maintenance.planned().forEach(window -> windows.put(maintenance.outage(window), wanted));
    }

    // ---- records

    /** Checks the events of one commit. */
    void recorded(List<Event> events) {
        var first = new LinkedHashMap<SeriesId, List<Event>>();
        for (var event : events) {
            switch (event) {
                case ReservationEvent happened -> {
                    var occurrence = happened.reservation().origin().occurrence();
                    occurrence.ifPresent(one -> recorded(one, happened, first));
                }
                case RequestEvent(var type, var request, var _) ->
                    request.origin().occurrence().ifPresent(one -> {
                        assertThat(type).as("what is told of a refused %s", one).isEqualTo(Type.REJECTED);
                        opens(one, event, first);
                        fate(one).refused++;
                        decided(one, request.origin());
                    });
                case OutageEvent outage -> recorded(outage);
                default -> {
                    // nothing that recurs
                }
            }
        }
        first.forEach(this::isWhole);
    }

    /** Notes the event if nothing of its series was decided before this commit. */
    private void opens(Occurrence occurrence, Event event, Map<SeriesId, List<Event>> first) {
        var series = occurrence.series();
        boolean isFirst = fates.entrySet().stream()
                .noneMatch(entry -> entry.getKey().series().equals(series)
                        && entry.getValue().decisions() > 0);
        if (isFirst) {
            first.put(series, new ArrayList<>());
        }
        if (first.containsKey(series)) {
            first.get(series).add(event);
        } else {
            later++;
        }
    }

    private void recorded(Occurrence occurrence, ReservationEvent event, Map<SeriesId, List<Event>> first) {
        var reservation = event.reservation();
        var fate = fate(occurrence);
        if (!fate.booked.contains(reservation.id())) {
            assertThat(event.type())
                    .as("the first that is told of %s", reservation)
                    .isIn(Type.CONFIRMED, Type.APPROVAL_ASKED);
            opens(occurrence, event, first);
            fate.booked.add(reservation.id());
            decided(occurrence, reservation.origin());
            assertThat(fate.booked.stream()
                            .map(watch::present)
                            .filter(one -> one.state().isLive()))
                    .as("what %s has at a time", occurrence)
                    .hasSize(1);
            return;
        }
        switch (event.type()) {
            case CANCELLED ->
                assertThat(cancelled.contains(reservation.id()) || isToEnd(occurrence))
                        .as("whether somebody wanted this to be cancelled: %s", reservation)
                        .isTrue();
            case RENEGOTIATED ->
                assertThat(changed).as("which occurrences were to be otherwise").contains(reservation.id());
            default -> {
                // caused by time, outages or other requests
            }
        }
    }

    private boolean isToEnd(Occurrence occurrence) {
        return ends.getOrDefault(occurrence.series(), List.of()).stream()
                .anyMatch(end -> !end.isDenied && !occurrence.date().isBefore(end.from));
    }

    /** Notes that an occurrence was granted or refused. */
    private void decided(Occurrence occurrence, Origin origin) {
        var series = asked(occurrence.series()).series();
        assertThat(origin.as(occurrence))
                .as("whose %s is", occurrence)
                .isEqualTo(series.origin().as(occurrence));
        assertThat(series.on(occurrence.date()))
                .as("where %s was planned", occurrence)
                .isPresent();
        fate(occurrence).requireOnce(occurrence);
        var end = ended.get(occurrence.series());
        assertThat(end == null || occurrence.date().isBefore(end))
                .as("whether %s was decided though its series has ended before %s", occurrence, end)
                .isTrue();
    }

    private Asked asked(SeriesId id) {
        var series = asked.get(id);
        assertThat(series).as("whether somebody has asked for series %s", id).isNotNull();
        return Objects.requireNonNull(series);
    }

    /** Checks that the first commit decides everything that must be decided at once. */
    private void isWhole(SeriesId id, List<Event> decided) {
        var series = asked(id);
        if (series.first() == 0) {
            return;
        }
        var dates = decided.stream().map(SeriesWatch::date).toList();
        long granted =
                decided.stream().filter(ReservationEvent.class::isInstance).count();
        assertThat(dates)
                .as("which occurrences are decided at once of %s", series)
                .isEqualTo(series.series().planned().stream()
                        .map(Planned::date)
                        .limit(series.first())
                        .toList());
        assertThat(granted)
                .as("how many occurrences are booked at once of %s", series)
                .isGreaterThanOrEqualTo(series.atLeast());
    }

    private static LocalDate date(Event event) {
        return switch (event) {
            case ReservationEvent happened ->
                happened.reservation().origin().occurrence().orElseThrow().date();
            case RequestEvent happened ->
                happened.request().origin().occurrence().orElseThrow().date();
            default -> throw new AssertionError("No occurrence: " + event);
        };
    }

    private void recorded(OutageEvent event) {
        var outage = event.outage();
        var maintained = windows.get(outage.id());
        if (maintained == null || event.type() != Type.OUTAGE_RECORDED) {
            return;
        }
        assertThat(maintained.recorded.add(outage.id()))
                .as("whether a window is recorded once: %s", outage)
                .isTrue();
        assertThat(maintained.isCalledOff)
                .as("whether a window is recorded that was called off: %s", outage)
                .isFalse();
        maintained.requireTruth();
        var window = maintained.window(outage.id());
        assertThat(outage.slot().end())
                .as("the end of a window: %s", outage)
                .isEqualTo(window.start() + maintained.asked.downtime().duration());
        assertThat(outage.slot().start())
                .as("the start of a window: %s", outage)
                .isBetween(window.start(), Math.max(window.start(), event.at()));
    }

    // ---- answers

    /**
     * Notes that a client was told that a series is booked.
     *
     * @param name the name of the request's key
     */
    void booked(Series series, Optional<String> name) {
        assertThat(series.state())
                .as("what is told of a series that is there: %s", series)
                .isNotEqualTo(SeriesState.BOOKING);
        var wanted = asked(series.id());
        name.ifPresent(one -> assertThat(told.putIfAbsent(one, series.id()))
                .as("what the same key has led to before")
                .isIn(null, series.id()));
        told.putIfAbsent(series.id().toString(), series.id());
        assertThat(wanted.series().planned().stream().limit(wanted.first()))
                .as("what is decided of %s, which is told to be there", series)
                .allMatch(one -> fate(new Occurrence(series.id(), one.date())).decisions() > 0);
        series.replaces()
                .or(() -> wanted.series().replaces())
                .ifPresent(old -> ended.merge(old.series(), old.from(), SeriesWatch::earlier));
    }

    /** Notes that a request with that key was refused, so it must never be granted, even by a call without an answer. */
    void refused(String name) {
        assertThat(fates.entrySet().stream()
                        .filter(entry -> entry.getValue().decisions() > 0)
                        .map(entry -> asked(entry.getKey().series()).series())
                        .filter(series -> series.origin().labels().name().equals(Optional.of(name))))
                .as("what is there of %s, which was refused", name)
                .isEmpty();
    }

    private static LocalDate earlier(LocalDate one, LocalDate other) {
        return one.isBefore(other) ? one : other;
    }

    /** Notes that a client was told that a series has ended. */
    void ended(SeriesId series, LocalDate from) {
        ended.merge(series, from, SeriesWatch::earlier);
        assertThat(ahead(series).filter(one -> !date(one).isBefore(from)))
                .as("what a series still has that is told to have ended before %s", from)
                .isEmpty();
    }

    private Stream<Reservation> ahead(SeriesId series) {
        return fates.entrySet().stream()
                .filter(entry -> entry.getKey().series().equals(series))
                .flatMap(entry -> entry.getValue().booked.stream())
                .map(watch::present)
                .filter(one -> AHEAD.contains(one.state()));
    }

    private static LocalDate date(Reservation occurrence) {
        return occurrence.origin().occurrence().orElseThrow().date();
    }

    /** Notes that a client was told that a maintenance exists. */
    void taken(Maintenance maintenance, Optional<String> name) {
        assertThat(maintenances).as("which maintenances were asked for").containsKey(maintenance.id());
        name.ifPresent(one -> assertThat(toldMaintenances.putIfAbsent(one, maintenance.id()))
                .as("what the same key has led to before")
                .isIn(null, maintenance.id()));
        toldMaintenances.putIfAbsent(maintenance.id().toString(), maintenance.id());
    }

    /** Notes that the client was told that nothing has changed. */
    void denied(Maintenance maintenance) {
        var wanted = Objects.requireNonNull(maintenances.get(maintenance.id()));
        wanted.isDenied = true;
        wanted.requireTruth();
    }

    /** Notes that a client was told that a maintenance is cancelled. */
    void calledOff(UUID id) {
        var maintained = Objects.requireNonNull(maintenances.get(id));
        maintained.isCalledOff = true;
        var now = latest.instant();
        assertThat(watch.outages())
                .as("windows that are still to come of what was called off")
                .noneMatch(outage -> windows.get(outage.id()) == maintained
                        && Instant.ofEpochSecond(maintained.window(outage.id()).start())
                                .isAfter(now));
    }

    // ---- at the end

    /** Whether nothing is left to do for the series, given the horizon. */
    static boolean isSettled(Series series, long horizon) {
        return series.state() != SeriesState.BOOKING
                && series.givesUpFrom().isEmpty()
                && series.decided() >= WholeSeries.within(series, horizon);
    }

    /** Checks, after all faults are over, that each series is complete up to where it should be. */
    void requireWhole(Collection<Series> stored, Collection<Maintenance> recorded) {
        var rows = new HashMap<SeriesId, Series>();
        stored.forEach(series -> rows.put(series.id(), series));
        assertThat(rows.keySet()).as("series that were told to be there").containsAll(told.values());
        fates.forEach((occurrence, fate) -> {
            if (fate.decisions() > 0) {
                assertThat(rows).as("the series of what was decided").containsKey(occurrence.series());
            }
        });
        stored.forEach(this::requireWhole);
        assertThat(recorded.stream().map(Maintenance::id))
                .as("maintenances that were told to be there")
                .containsAll(toldMaintenances.values());
        recorded.forEach(this::requireWhole);
    }

    private void requireWhole(Series series) {
        assertThat(ahead(series.id()))
                .as("what lies ahead of %s, which does not have it any more", series)
                .allMatch(one -> series.on(date(one)).isPresent());
        var now = latest.instant().getEpochSecond();
        assertThat(series.planned().stream().limit(series.decided()))
                .as("what was decided of %s", series)
                .allMatch(one -> one.start() <= now
                        || fate(new Occurrence(series.id(), one.date())).decisions() > 0);
        assertThat(asked(series.id()).series().planned())
                .as("what is left of a series of which nobody gave up more: %s", series)
                .allMatch(one -> series.on(one.date()).isPresent() || isToEnd(new Occurrence(series.id(), one.date())));
    }

    private void requireWhole(Maintenance maintenance) {
        var now = latest.instant().getEpochSecond();
        var wanted = Objects.requireNonNull(maintenances.get(maintenance.id()));
        assertThat(wanted.isDenied)
                .as("whether it was said that this has not been taken: %s", maintenance)
                .isFalse();
        assertThat(maintenance.planned().stream().limit(maintenance.recorded()))
                .as("what was recorded of %s", maintenance)
                .allMatch(one -> one.start() + maintenance.downtime().duration() <= now
                        || wanted.recorded.contains(maintenance.outage(one)));
    }
}
