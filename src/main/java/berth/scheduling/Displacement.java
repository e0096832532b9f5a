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
 * Determines what happens to reservations when PEs go out of service and the {@linkplain JobsGiveWay batch jobs} have given way. A
 * reservation that has one of the lost PEs gives way. Of the others, as many as fit on the remaining PEs stay. Reservations that cannot
 * move stay first; among them, and among the rest, PREMIUM comes before STANDARD and urgent ones before those that can wait. In the same
 * order, every reservation that has to go and can move gets another place inside its window, chosen by the policy among the places that
 * respect the cluster's notice and, if possible, the owner's own. The new place can be at the same time on other PEs. If it finds none and
 * the cluster juggles, other movable reservations make room, with the whole waiting queue replanned as for a newcomer. A reservation
 * without a place fails, and its owner is credited. The running part of a split run stays like a reservation that cannot move, and the
 * reservation fails if its PEs are lost; the parts that have not begun move separately.
 *
 * <p>Only reservations that overlap the loss give way, and with early binding only those that have lost PEs. Each costs O(log n), plus the
 * availability and {@link ReplanAttempt}.
 */
final class Displacement {

    private static final Comparator<Reservation> PREMIUM_FIRST =
            Comparator.comparing(reservation -> reservation.origin().serviceClass() != ServiceClass.PREMIUM);
    private static final Comparator<Reservation> MOST_URGENT_FIRST = PREMIUM_FIRST
            .thenComparing(reservation -> reservation.state() != ReservationState.RUNNING)
            .thenComparing(reservation -> reservation.terms().latestStart())
            .thenComparing(reservation -> reservation.id().value());

    /** The most passes; beyond them no other reservation moves for the displaced ones, because other commands wait for the decision. */
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
     * Determines the effects of a loss.
     *
     * @param schedule a schedule without kept places
     * @param loss an event that takes PEs out of service throughout {@code lost}, at most as many as are in service
     */
    static Displacement of(ClusterSchedule schedule, Event loss, Slot lost, long now) {
        var displacement = new Displacement(schedule, lost, now);
        displacement.run(loss);
        return displacement;
    }

    /**
     * Returns the PEs for an outage that names none, on a cluster with early binding. It spares the PEs of as many reservations as the
     * remaining PEs can hold, in the usual order; of the PEs that no spared reservation has, it takes the highest-numbered.
     *
     * @param pes the number of PEs lost throughout {@code lost}
     * @param among the PEs to choose from, at least {@code pes}
     */
    static PeSet leastMissed(ClusterSchedule schedule, Slot lost, int pes, PeSet among, long now) {
        var rest = among;
        for (var reservation : touched(schedule, lost, now)) {
            var others = rest.minus(peIds(reservation, lost));
            rest = others.size() >= pes ? others : rest;
        }
        return rest.minus(rest.lowest(rest.size() - pes));
    }

    /** Returns the PEs of a reservation in that time, all of which have been chosen. */
    private static PeSet peIds(Reservation reservation, Slot when) {
        return reservation.parts().stream()
                .filter(part -> part.slot().overlaps(when))
                .map(part -> part.peIds().orElseThrow())
                .reduce(PeSet.NONE, PeSet::or);
    }

    /** Returns the reservations that overlap a loss, in the order in which they may stay. The running part of a split run cannot move. */
    private static List<Reservation> touched(ClusterSchedule schedule, Slot lost, long now) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.parts().stream()
                        .anyMatch(part -> part.slot().overlaps(lost)))
                .sorted(Comparator.<Reservation, Boolean>comparing(reservation ->
                                reservation.state() != ReservationState.RUNNING && reservation.isMovable(now))
                        .thenComparing(MOST_URGENT_FIRST))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Returns the moves and failures, in order. */
    List<Event> events() {
        return List.copyOf(events.values());
    }

    /** Returns the reservations that have moved or failed. */
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
            // the past of a run passes this check too: everything else that was taken then is still recorded as taken,
            // so the run's own PEs
            // are free
            if (!reservation.isMovable(now) && schedule.occupancy().hasRoomFor(reservation)) {
                schedule = schedule.adding(reservation);
            } else if (reservation.isMovable(now) && schedule.occupancy().hasRoomForRunning(reservation)) {
                schedule = schedule.with(schedule.occupancy().takingRunning(reservation));
                movable.add(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        movable.sort(MOST_URGENT_FIRST);
        for (var reservation : movable) {
            var without = withoutRunning(reservation);
            if (without.occupancy().hasRoomFor(reservation)) {
                schedule = without.adding(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        displaced.sort(MOST_URGENT_FIRST);
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

    /** Returns the numbers of the lost PEs, which are known with early binding. */
    private PeSet gone(Event loss) {
        return switch (loss) {
            case OutageEvent(var _, var outage, var _) -> outage.peIds().orElseThrow();
            case ClusterEvent(var smaller, var _) ->
                PeSet.range(smaller.pes(), schedule.cluster().pes());
            case ReservationEvent _, JobEvent _, JobsEvent _, RequestEvent _, BudgetEvent _ -> PeSet.NONE;
        };
    }

    /**
     * Moves a displaced reservation to another place, or lets it fail if there is none. Of a running reservation only the parts that have
     * not begun move; its present PEs are kept.
     */
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

    /**
     * Returns a place that respects what the owner asked for, or else at least the cluster's notice; other reservations may move for
     * either.
     */
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

    /** Returns a free place. Existing promises take precedence over the reservable share. */
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

    /** Returns a reservation in its new place. However often the search tried, it has moved once, from its place before the loss. */
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
