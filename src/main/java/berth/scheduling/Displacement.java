package berth.scheduling;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What becomes of the reservations when PEs go out of service and the {@linkplain JobsGiveWay batch jobs} have given way. Whoever has one of the very PEs that are lost gives way. Of
 * the others as many as the remaining PEs can hold stay where they are: first those that cannot be moved, among these and
 * among the others PREMIUM before STANDARD, and the most urgent before those that can wait. Of the rest, whoever can be
 * moved is placed anew inside its window, in the same order, where the policy chooses among the places that keep the
 * cluster's notice (and where it can what the owner asked for), be it at the same time on other PEs. Where the cluster
 * juggles, others that can be moved make room for one that finds none: the whole waiting queue is placed anew, as for a
 * newcomer. For whom there is no place left, the promise is broken, and credited. Of a run in parts the one that goes on
 * stays like one that cannot be moved: it fails if its PEs are lost. Those that have not begun are moved without it.
 *
 * <p>Only reservations that overlap the loss give way, and where PEs are bound early, only those that have some of the
 * PEs that are lost: O(log n) for each of these, beside what the availability takes and what {@link ReplanAttempt} does.
 */
final class Displacement {

    private static final Comparator<Reservation> PREMIUM_FIRST =
            Comparator.comparing(reservation -> reservation.origin().serviceClass() != ServiceClass.PREMIUM);
    private static final Comparator<Reservation> MAX_URGENT_FIRST = PREMIUM_FIRST
            .thenComparing(reservation -> reservation.state() != ReservationState.RUNNING)
            .thenComparing(reservation -> reservation.terms().latestStart())
            .thenComparing(reservation -> reservation.id().value());

    /** Beyond so many nobody moves for the displaced any more: others wait for the decision. */
    private static final long MAX_PASSES = 200_000;

    private final Slot lost;
    private final long now;
    private long passes;
    private final Map<ReservationId, ReservationEvent> events = new LinkedHashMap<>();
    private final Map<ReservationId, Reservation> asTheyWere = new HashMap<>();
    private ClusterSchedule schedule;

    private Displacement(ClusterSchedule schedule, Slot lost, long now) {
        this.schedule = schedule;
        this.lost = lost;
        this.now = now;
    }

    /**
     * What comes of a loss.
     *
     * @param schedule where no place is kept for the first waiting job
     * @param loss takes PEs out of service throughout {@code lost}; as many as are in service at the most
     */
    static Displacement of(ClusterSchedule schedule, Event loss, Slot lost, long now) {
        var displacement = new Displacement(schedule, lost, now);
        displacement.run(loss);
        return displacement;
    }

    /**
     * The PEs of an outage that names none, where each reservation keeps its own. As many of these as the PEs that then
     * remain can hold are spared, in the same order; of the PEs that are nobody's after that, the highest-numbered go.
     *
     * @param pes how many are lost throughout {@code lost}
     * @param among which of the PEs, at least as many
     */
    static PeSet leastMissed(ClusterSchedule schedule, Slot lost, int pes, PeSet among, long now) {
        var rest = among;
        for (var reservation : touched(schedule, lost, now)) {
            var others = rest.minus(peIds(reservation, lost));
            rest = others.size() >= pes ? others : rest;
        }
        return rest.minus(rest.lowest(rest.size() - pes));
    }

    /** The PEs that a reservation has in that time, each of which is settled. */
    private static PeSet peIds(Reservation reservation, Slot when) {
        return reservation.parts().stream()
                .filter(part -> part.slot().overlaps(when))
                .map(part -> part.peIds().orElseThrow())
                .reduce(PeSet.NONE, PeSet::or);
    }

    /** Those that overlap a loss, in the order in which they may stay: of a run that goes on some cannot be moved. */
    private static List<Reservation> touched(ClusterSchedule schedule, Slot lost, long now) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.parts().stream()
                        .anyMatch(part -> part.slot().overlaps(lost)))
                .sorted(Comparator.<Reservation, Boolean>comparing(reservation ->
                                reservation.state() != ReservationState.RUNNING && reservation.isMovable(now))
                        .thenComparing(MAX_URGENT_FIRST))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The moves and failures, in order. */
    List<Event> events() {
        return List.copyOf(events.values());
    }

    /** Who was moved, or has failed. */
    List<ReservationId> reservations(Event.Type what) {
        return events.values().stream()
                .filter(event -> event.type() == what)
                .map(event -> event.reservation().id())
                .toList();
    }

    private void run(Event loss) {
        var touched = touched(schedule, lost, now);
        if (schedule.cluster().binding() == Binding.EARLY) {
            var gone = gone(loss);
            touched.removeIf(reservation -> !peIds(reservation, lost).intersects(gone));
        }
        for (var reservation : touched) {
            schedule = schedule.without(reservation.id());
        }
        schedule = schedule.applying(loss);
        var movable = new ArrayList<Reservation>();
        var displaced = new ArrayList<Reservation>();
        for (var reservation : touched) {
            // what lies in the past of a run is free, too: all that was taken with it then is taken still
            if (!reservation.isMovable(now) && schedule.occupancy().hasRoomFor(reservation)) {
                schedule = schedule.adding(reservation);
            } else if (reservation.isMovable(now) && schedule.occupancy().hasRoomForRunning(reservation)) {
                schedule = schedule.with(schedule.occupancy().takingRunning(reservation));
                movable.add(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        movable.sort(MAX_URGENT_FIRST);
        for (var reservation : movable) {
            var without = withoutRunning(reservation);
            if (without.occupancy().hasRoomFor(reservation)) {
                schedule = without.adding(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        displaced.sort(MAX_URGENT_FIRST);
        var mayMove = movable.stream().map(Reservation::id).collect(Collectors.toSet());
        for (var reservation : displaced) {
            if (mayMove.contains(reservation.id())) {
                replace(reservation);
            } else {
                events.put(reservation.id(), failed(reservation));
            }
        }
    }

    private ClusterSchedule withoutRunning(Reservation reservation) {
        return schedule.with(schedule.occupancy().givingBackRunning(reservation));
    }

    /** The PEs that a loss takes where each is told apart. */
    private PeSet gone(Event loss) {
        return switch (loss) {
            case OutageEvent(var _, var outage, var _) -> outage.peIds().orElseThrow();
            case ClusterEvent(var smaller, var _) ->
                PeSet.range(smaller.pes(), schedule.cluster().pes());
            case ReservationEvent _, JobEvent _, JobsEvent _, RequestEvent _, BudgetEvent _ -> PeSet.NONE;
        };
    }

    /** Of a run that goes on only what has not begun is placed anew: the PEs that it has at present are kept for it. */
    private void replace(Reservation reservation) {
        var found = found(reservation);
        schedule = withoutRunning(reservation);
        if (found.isEmpty()) {
            events.put(reservation.id(), failed(reservation));
            return;
        }
        var arrived = new ArrayList<Reservation>();
        for (var move : found.get().moves()) {
            var others = schedule.find(move.reservation().id()).orElseThrow();
            arrived.add(comesTo(others, WaitingQueue.toCome(move.reservation()), MoveReason.MADE_ROOM));
        }
        for (var others : arrived) {
            schedule = schedule.without(others.id());
        }
        arrived.add(comesTo(reservation, found.get().place().parts(), MoveReason.PES_LOST));
        for (var one : arrived) {
            schedule = schedule.adding(one);
        }
    }

    /** The place that keeps what the owner asked for, or else at least the cluster's notice; others may move for either. */
    private Optional<JugglingResult.Found> found(Reservation reservation) {
        long notice = schedule.cluster().policy().notice();
        long owners = Math.max(notice, reservation.terms().fixing().before().orElse(0));
        for (long ahead : owners == notice ? List.of(notice) : List.of(owners, notice)) {
            var beside = passes < MAX_PASSES ? schedule : schedule.whereNobodyMoves();
            var juggled = JugglingResult.onConflict(beside, newcomer(reservation, ahead), now);
            passes += juggled.effort().passes();
            if (juggled instanceof JugglingResult.Found found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private Newcomer newcomer(Reservation reservation, long ahead) {
        return new Newcomer(
                reservation.id(),
                reservation.terms(),
                reservation.status().createdAt(),
                free -> place(reservation, ahead, free)
                        .<Search>map(place -> new Search.Found(place, reservation.price()))
                        .orElseGet(() -> new Search.Nothing(new Rejection.NoSlot())));
    }

    /** Promises come before the share of PEs that is not to be reserved. */
    private Optional<Place> place(Reservation reservation, long ahead, FreePes free) {
        var window = reservation.terms().window();
        var cluster = schedule.cluster();
        long earliest = Math.max(window.readyTime(), now + ahead);
        return earliest >= window.deadline()
                ? Optional.empty()
                : new ShapeSearch(free, cluster.policy().placement(), cluster.pes(), now)
                        .again(
                                reservation,
                                new Window(earliest, window.deadline()),
                                cluster.policy().replanning().reshaping());
    }

    /** A reservation as it is there: it has moved once, from where it lay before the loss, however often that was tried. */
    private Reservation comesTo(Reservation reservation, List<Part> there, MoveReason why) {
        var before = asTheyWere.computeIfAbsent(reservation.id(), _ -> reservation);
        var told = Optional.ofNullable(events.remove(reservation.id()))
                .flatMap(ReservationEvent::move)
                .map(Event.Move::why);
        if (there.equals(WaitingQueue.toCome(before))) {
            return before;
        }
        var event = Moves.to(new Place(there), before, schedule, told.orElse(why), now);
        events.put(reservation.id(), event);
        return event.reservation();
    }

    private ReservationEvent failed(Reservation reservation) {
        return Breach.of(reservation, schedule, EndReason.PES_LOST, now);
    }
}
