package berth.scheduling.places;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Breach;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.FreePes;
import berth.scheduling.Moves;
import berth.scheduling.Place;
import berth.scheduling.ReplanQueue;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Fixing;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Determines what happens to reservations when PEs go out of service or come back, and the {@linkplain JobsGiveWay batch jobs} have given
 * way.
 *
 * <p>What has begun goes on. A run keeps those of its PEs that remain. For the others it gets PEs that are free until its running part ends;
 * if the cluster juggles, reservations that can move make room for that. If there are too few, it goes on with those that it has, until PEs
 * come back. It fails only when none is left. A loss ahead changes nothing before it begins.
 *
 * <p>Of the reservations that have not begun, one that has a lost PE gives way. Of the others, as many as fit on the remaining PEs stay.
 * Those that cannot move stay first; among them, and among the rest, PREMIUM comes before STANDARD and urgent ones before those that can
 * wait. In the same order, every reservation that has to go and can move gets another place inside its window, chosen by the policy among
 * the places that respect the cluster's notice and, if possible, the owner's own and the agreed shift. However often the reservation was
 * moved, it moves rather than fails. The new place can be at the same time on other PEs; one that cannot move gets other PEs at its time. If
 * it finds none and the cluster juggles, other movable reservations make room, with the whole waiting queue replanned as for a newcomer. The
 * parts of a split run that have not begun move like a reservation; if they find no place, the run keeps their PEs as far as they remain.
 *
 * <p>A reservation without a place fails, and its owner is credited. But if the outage has no planned end, it may be over by then: the
 * reservation keeps its place and what is left of its PEs, does not move any more, and fails only if it still lacks some at its start.
 *
 * <p>Only reservations that overlap the loss give way, and with early binding only those that have lost PEs. Each costs O(log n), plus the
 * availability and {@link ReplanAttempt}.
 */
public final class Displacement {

    private static final Comparator<Reservation> RUNS_FIRST =
            Comparator.comparing(reservation -> reservation.state() != ReservationState.RUNNING);
    private static final Comparator<Reservation> PREMIUM_FIRST =
            Comparator.comparing(reservation -> reservation.origin().serviceClass() != ServiceClass.PREMIUM);
    private static final Comparator<Reservation> MOST_URGENT_FIRST = PREMIUM_FIRST
            .thenComparing(reservation -> reservation.state() != ReservationState.RUNNING)
            .thenComparing(reservation -> reservation.terms().latestStart())
            .thenComparing(reservation -> reservation.id().value());

    /** The most passes; beyond them no other reservation moves for the displaced ones, because other commands wait for the decision. */
    private static final long MAX_PASSES = 200_000;

    private final long now;
    private long passes;

    /** The events of runs that have begun, in order. */
    private final List<ReservationEvent> told = new ArrayList<>();

    private final Map<ReservationId, ReservationEvent> moves = new LinkedHashMap<>();
    private final Map<ReservationId, Reservation> asTheyWere = new HashMap<>();
    /** Whether nobody knows when the lost PEs come back. */
    private final boolean isWithoutEnd;

    private long lacking;
    private ClusterSchedule schedule;

    private Displacement(ClusterSchedule schedule, boolean isWithoutEnd, long now) {
        this.schedule = schedule;
        this.isWithoutEnd = isWithoutEnd;
        this.now = now;
    }

    /**
     * Determines the effects of a loss.
     *
     * @param schedule a schedule without kept places
     * @param loss an event that takes PEs out of service throughout {@code lost}, at most as many as are in service
     */
    static Displacement of(ClusterSchedule schedule, Event loss, Slot lost, long now) {
        boolean isWithoutEnd = loss instanceof OutageEvent(var _, var outage, var _)
                && outage.to().isEmpty();
        var displacement = new Displacement(schedule, isWithoutEnd, now);
        var touched = touched(schedule, lost, now);
        if (schedule.cluster().binding() == Binding.EARLY) {
            var gone = gone(schedule, loss);
            touched.removeIf(reservation -> !peIds(reservation, lost).intersects(gone));
        }
        displacement.run(touched, rest -> rest.applying(loss));
        return displacement;
    }

    /**
     * Determines how reservations go on now that the PEs which they lack may have changed.
     *
     * @param schedule a schedule without kept places
     * @param lacking reservations that lack PEs, or will
     */
    static Displacement ofLacking(ClusterSchedule schedule, Collection<Reservation> lacking, long now) {
        var displacement = new Displacement(schedule, false, now);
        displacement.run(
                lacking.stream()
                        .sorted(RUNS_FIRST.thenComparing(MOST_URGENT_FIRST))
                        .toList(),
                rest -> rest);
        return displacement;
    }

    /** Returns the events of reservations that get PEs back after PEs have come into service. */
    public static List<Event> afterRegaining(ClusterSchedule schedule, long now) {
        var lacking = schedule.occupancy().live().lacking();
        return lacking.isEmpty()
                ? List.of()
                : ofLacking(schedule.withoutKeptPlaces(), lacking, now).events();
    }

    /** Returns the reservations that can use PEs which have become free, in their order: runs that lack PEs now, and those not begun. */
    public static List<Reservation> degraded(ClusterSchedule schedule) {
        return schedule.occupancy().live().lacking().stream()
                .filter(reservation -> reservation.lacksPes() || reservation.awaitsPes())
                .sorted(MOST_URGENT_FIRST)
                .toList();
    }

    /** Returns the events of a reservation that lacks PEs if it can have more, without any change for others; none if it cannot. */
    public static List<Event> gaining(ClusterSchedule schedule, Reservation lacking, long now) {
        var events = ofLacking(schedule.withoutKeptPlaces().whereNobodyMoves(), List.of(lacking), now)
                .events();
        boolean hasMore = !events.isEmpty()
                && events.getLast() instanceof ReservationEvent about
                && work(about.reservation().placement().losses(), now)
                        < work(lacking.placement().losses(), now);
        return hasMore ? events : List.of();
    }

    /**
     * Returns the PEs for an outage that names none, on a cluster with early binding. It spares the PEs of as many reservations as the
     * remaining PEs can hold, in the usual order; of the PEs that no spared reservation has, it takes the highest-numbered.
     *
     * @param pes the number of PEs lost throughout {@code lost}
     * @param among the PEs to choose from, at least {@code pes}
     */
    public static PeSet leastMissed(ClusterSchedule schedule, Slot lost, int pes, PeSet among, long now) {
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

    /** Returns the reservations that overlap a loss, in the order in which they may stay. */
    private static List<Reservation> touched(ClusterSchedule schedule, Slot lost, long now) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.parts().stream()
                        .anyMatch(part -> part.slot().overlaps(lost)))
                .sorted(RUNS_FIRST
                        .thenComparing(reservation -> reservation.isMovable(now))
                        .thenComparing(MOST_URGENT_FIRST))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Returns the events of the reservations, those of each in order. */
    List<Event> events() {
        var all = new ArrayList<Event>(told);
        all.addAll(moves.values());
        return all;
    }

    /** Returns the reservations with an event of that type. */
    public List<ReservationId> reservations(Event.Type what) {
        return Stream.concat(told.stream(), moves.values().stream())
                .filter(event -> event.type() == what)
                .map(event -> event.reservation().id())
                .toList();
    }

    /** Returns how many PEs the runs lack now. */
    long lacking() {
        return lacking;
    }

    private void run(List<Reservation> touched, UnaryOperator<ClusterSchedule> happens) {
        for (var reservation : touched) {
            schedule = schedule.without(reservation.id());
        }
        schedule = happens.apply(schedule);
        var runs = new ArrayList<Run>();
        var movable = new ArrayList<Reservation>();
        var displaced = new ArrayList<Reservation>();
        for (var reservation : touched) {
            if (reservation.state() == ReservationState.RUNNING) {
                var run = new Run(reservation, withWhatIsLeft(reservation, fixedParts(reservation)));
                runs.add(run);
                take(run.left());
            } else if (!reservation.isMovable(now) && schedule.occupancy().hasRoomFor(reservation.whole())) {
                schedule = schedule.adding(comesTo(reservation, reservation.parts(), MoveReason.PES_LOST));
            } else if (reservation.isMovable(now)) {
                movable.add(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        runs.stream().map(Run::left).filter(run -> run.isOpen(now)).forEach(movable::add);
        movable.sort(MOST_URGENT_FIRST);
        for (var reservation : movable) {
            var without = withoutRunning(reservation);
            if (without.occupancy().hasRoomFor(reservation)) {
                schedule = without.adding(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        for (var run : runs) {
            var after = goesOn(run);
            displaced.replaceAll(one -> one.id().equals(after.id()) ? after : one);
        }
        displaced.removeIf(one -> !one.state().isLive());
        displaced.sort(MOST_URGENT_FIRST);
        displaced.forEach(this::replace);
    }

    // ---- runs that have begun

    /** A run before the change, and with the PEs that are left of its parts. */
    private record Run(Reservation before, Reservation left) {}

    /** Returns how many parts of a run keep their time: all, unless the parts to come can move. */
    private int fixedParts(Reservation run) {
        return run.isOpen(now) ? run.placement().begun() : run.parts().size();
    }

    /** Takes the PEs of the parts of a run that keep their time. */
    private void take(Reservation run) {
        schedule = run.isOpen(now) ? schedule.with(schedule.occupancy().takingRunning(run)) : schedule.adding(run);
    }

    private ClusterSchedule without(Reservation run) {
        return schedule.find(run.id()).isPresent() ? schedule.without(run.id()) : withoutRunning(run);
    }

    /** Returns a run, which must not be in the schedule, with the losses that follow from the others; the same if nothing changes. */
    private Reservation withWhatIsLeft(Reservation run, int parts) {
        var losses = run.placement().losses();
        if (losses.equals(Losses.NONE)
                && (parts == run.parts().size()
                        ? schedule.occupancy().hasRoomFor(run)
                        : schedule.occupancy().hasRoomForRunning(run))) {
            return run;
        }
        var lacks =
                schedule.occupancy().lacking(run.placement(), schedule.cluster().pes(), parts, now);
        boolean isAsKnown = lacks.equals(losses.from(now)) && losses.changesAt() > now;
        return isAsKnown ? run : run.with(run.placement().with(losses.at(now, lacks)));
    }

    /** Replaces the PEs that a run lacks now, as far as possible. Returns the run afterwards. */
    private Reservation goesOn(Run run) {
        var incomplete = present(run);
        var left = incomplete.placement();
        var lack = left.losses().present();
        var after = lack.isPresent() ? completed(incomplete, lack.get()) : left;
        // its parts to come may have made way for itself
        var present = present(run);
        int still = after.losses().present().map(Part::pes).orElse(0);
        if (lack.isPresent() && still == left.parts().get(left.begun() - 1).pes()) {
            tellMove(present.id());
            schedule = without(present);
            var failed = failed(present.with(left.with(run.before().placement().losses())));
            told.add(failed);
            return failed.reservation();
        }
        lacking += still;
        if (hasTheSame(run.before().placement(), after)) {
            return present;
        }
        tellMove(present.id());
        var event = ReservationEvent.of(type(run.before().placement(), after), present.goingOn(after, now));
        boolean isWhole = schedule.find(present.id()).isPresent();
        schedule = without(present);
        if (isWhole) {
            schedule = schedule.adding(event.reservation());
        } else {
            take(event.reservation());
        }
        told.add(event);
        return event.reservation();
    }

    private Reservation present(Run run) {
        return schedule.find(run.left().id()).orElse(run.left());
    }

    /** Makes the move of a run for another one, if there was one, the event before its own. */
    private void tellMove(ReservationId id) {
        Optional.ofNullable(moves.remove(id)).ifPresent(told::add);
        asTheyWere.remove(id);
    }

    /** Returns the place of a run with other PEs for those that it lacks now, as far as there are any until its running part ends. */
    private Placement completed(Reservation run, Part lack) {
        var part = run.parts().get(run.placement().begun() - 1);
        var slot = new Slot(now, part.slot().end());
        int found = roomFor(run, slot, lack.pes()) ? lack.pes() : mostFree(slot, lack.pes());
        var present = schedule.find(run.id()).orElse(run);
        if (found == 0) {
            return present.placement();
        }
        var others = schedule.freeForJobs()
                .at(slot, found, schedule.cluster().pes())
                .flatMap(Part::peIds)
                .orElseGet(() -> schedule.freeForJobs().started(Part.whole(slot, found)));
        var lost = lack.peIds().orElseThrow();
        var pes = part.peIds().orElseThrow().minus(lost).or(others).or(lost.lowest(lack.pes() - found));
        var there = present.placement().goingOnWith(pes, present.placement().losses());
        var rest = without(present);
        int parts = schedule.find(run.id()).isPresent() ? present.parts().size() : fixedParts(present);
        var lacks = rest.occupancy().lacking(there, schedule.cluster().pes(), parts, now);
        return there.with(there.losses().at(now, lacks));
    }

    /** Whether that many PEs are free throughout the slot, or reservations have moved so that they are. */
    private boolean roomFor(Reservation run, Slot slot, int pes) {
        var terms = new Terms(
                new Window(slot.start(), slot.end()),
                slot.duration(),
                List.of(new Shape(pes, slot.duration())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                run.terms().requires(),
                Fixing.BY_NOTICE,
                run.terms().scenario());
        int all = schedule.cluster().pes();
        var newcomer = new Newcomer(
                run.id(),
                run.origin().serviceClass(),
                run.status().moves().count(),
                terms,
                run.status().createdAt(),
                free -> Search.of(free.at(slot, pes, all).map(Place::of), run.price()),
                OptionalLong.of(slot.start()));
        if (juggled(newcomer) instanceof JugglingResult.Found found) {
            arrive(leaving(found.moves()));
            return true;
        }
        return false;
    }

    private int mostFree(Slot slot, int most) {
        int fits = 0;
        for (int step = Integer.highestOneBit(most); step > 0; step /= 2) {
            boolean isFree = fits + step <= most
                    && schedule.freeForJobs()
                            .at(slot, fits + step, schedule.cluster().pes())
                            .isPresent();
            fits += isFree ? step : 0;
        }
        return fits;
    }

    /** Whether a run has begun on the same PEs and has lost the same, wherever its parts to come are. */
    private static boolean hasTheSame(Placement before, Placement after) {
        int begun = before.begun();
        return before.losses().equals(after.losses())
                && before.parts().subList(0, begun).equals(after.parts().subList(0, begun));
    }

    /** Returns what has happened to a run between two placements. */
    private Event.Type type(Placement before, Placement after) {
        var had = before.losses().present();
        var has = after.losses().present();
        int more = has.map(Part::pes).orElse(0) - had.map(Part::pes).orElse(0);
        int running = after.begun() - 1;
        if (running >= 0
                && more <= 0
                && !before.parts().get(running).equals(after.parts().get(running))) {
            return Event.Type.REPLACED;
        }
        boolean isSame = more == 0 && had.flatMap(Part::peIds).equals(has.flatMap(Part::peIds));
        if (!isSame) {
            return more >= 0 ? Event.Type.DEGRADED : Event.Type.RESTORED;
        }
        return work(after.losses(), now) > work(before.losses(), now) ? Event.Type.LOSING : Event.Type.RESTORED;
    }

    private static long work(Losses losses, long now) {
        return losses.from(now).stream().mapToLong(Part::work).sum();
    }

    // ---- reservations that have not begun

    private ClusterSchedule withoutRunning(Reservation reservation) {
        return schedule.with(schedule.occupancy().givingBackRunning(reservation));
    }

    /** Returns the numbers of the lost PEs, which are known with early binding. */
    private static PeSet gone(ClusterSchedule schedule, Event loss) {
        return switch (loss) {
            case OutageEvent(var _, var outage, var _) -> outage.peIds().orElseThrow();
            case ClusterEvent(var _, var smaller, var _) ->
                PeSet.range(smaller.pes(), schedule.cluster().pes());
            case ReservationEvent _, JobEvent _, JobsEvent _, DelayEvent _, RequestEvent _, BudgetEvent _ -> PeSet.NONE;
        };
    }

    /**
     * Gives a displaced reservation another place, or lets it wait for its PEs or fail if there is none. Of a run, only the parts to come
     * move.
     */
    private void replace(Reservation reservation) {
        var found = found(reservation);
        schedule = withoutRunning(reservation);
        if (found.isPresent()) {
            var arriving = leaving(found.get().moves());
            arriving.add(comesTo(reservation, found.get().place().parts(), MoveReason.PES_LOST));
            arrive(arriving);
        } else if (reservation.state() == ReservationState.RUNNING || mayGetItsPesBack(reservation)) {
            goesOnWithoutThem(reservation);
        } else {
            moves.put(reservation.id(), failed(reservation));
        }
    }

    /** Whether the PEs that a reservation lacks may be back before its start, because nobody knows when the outage ends. */
    private boolean mayGetItsPesBack(Reservation reservation) {
        return now < reservation.slot().start() && (isWithoutEnd || reservation.awaitsPes());
    }

    private void goesOnWithoutThem(Reservation reservation) {
        var left = withWhatIsLeft(reservation, reservation.parts().size());
        if (left == reservation) {
            schedule = schedule.adding(reservation);
            return;
        }
        var event = ReservationEvent.of(
                type(reservation.placement(), left.placement()), reservation.goingOn(left.placement(), now));
        schedule = schedule.adding(event.reservation());
        if (reservation.state() == ReservationState.RUNNING) {
            tellMove(reservation.id());
            told.add(event);
        } else {
            moves.put(reservation.id(), event);
        }
    }

    /** Takes reservations that make room out of the schedule. Returns them in their new places. */
    private List<Reservation> leaving(List<ReservationEvent> moving) {
        var arriving = new ArrayList<Reservation>();
        for (var move : moving) {
            var one = schedule.find(move.reservation().id()).orElseThrow();
            arriving.add(comesTo(one, ReplanQueue.toCome(move.reservation()), MoveReason.MADE_ROOM));
        }
        for (var one : arriving) {
            schedule = schedule.without(one.id());
        }
        return arriving;
    }

    private void arrive(List<Reservation> arriving) {
        for (var one : arriving) {
            schedule = schedule.adding(one);
        }
    }

    /**
     * Returns a place that respects what the owner asked for, or else at least the cluster's notice and the window; other reservations may
     * move for either. A reservation whose place is final gets other PEs at its own time.
     */
    private Optional<JugglingResult.Found> found(Reservation reservation) {
        if (!reservation.isOpen(now)) {
            return juggled(newcomerInItsPlace(reservation)) instanceof JugglingResult.Found found
                    ? Optional.of(found)
                    : Optional.empty();
        }
        long notice = schedule.cluster().policy().notice();
        long owners = Math.max(notice, reservation.terms().fixing().before().orElse(0));
        var window = reservation.terms().window();
        return found(reservation, owners, reservation.mayLieIn())
                .or(() -> owners == notice && window.equals(reservation.mayLieIn())
                        ? Optional.empty()
                        : found(reservation, notice, window));
    }

    private Optional<JugglingResult.Found> found(Reservation reservation, long ahead, Window within) {
        var newcomer = Newcomer.again(
                reservation,
                reservation.terms(),
                free -> Search.of(place(reservation, ahead, within, free), reservation.price()));
        return juggled(newcomer) instanceof JugglingResult.Found found ? Optional.of(found) : Optional.empty();
    }

    private JugglingResult juggled(Newcomer newcomer) {
        var beside = passes < MAX_PASSES ? schedule : schedule.whereNobodyMoves();
        var juggled = JugglingResult.onConflict(beside, newcomer, now);
        passes += juggled.effort().passes();
        return juggled;
    }

    private Newcomer newcomerInItsPlace(Reservation reservation) {
        var again = Newcomer.again(
                reservation,
                reservation.terms(),
                free -> Search.of(onFreePes(reservation.parts(), free), reservation.price()));
        return again.startingAt(reservation.slot().start());
    }

    /** Returns the same parts on PEs that are free. */
    private Optional<Place> onFreePes(List<Part> parts, FreePes free) {
        var there = new ArrayList<Part>();
        for (var part : parts) {
            var found = free.at(part.slot(), part.pes(), schedule.cluster().pes());
            if (found.isEmpty()) {
                return Optional.empty();
            }
            there.add(found.get().peIds().map(part::on).orElse(part));
        }
        return Optional.of(new Place(there));
    }

    /** Returns a free place. Existing promises take precedence over the reservable share. */
    private Optional<Place> place(Reservation reservation, long ahead, Window within, FreePes free) {
        var cluster = schedule.cluster();
        long earliest = Math.max(within.readyTime(), now + ahead);
        return earliest >= within.deadline()
                ? Optional.empty()
                : new ShapeSearch(free, cluster.policy().placement(), cluster.pes(), now)
                        .again(
                                reservation,
                                new Window(earliest, within.deadline()),
                                cluster.policy().replanning().reshaping());
    }

    /** Returns a reservation in its new place. However often the search tried, it has moved once, from its place before the loss. */
    private Reservation comesTo(Reservation reservation, List<Part> there, MoveReason why) {
        var before = asTheyWere.computeIfAbsent(reservation.id(), _ -> reservation);
        var reason = Optional.ofNullable(moves.remove(reservation.id()))
                .flatMap(ReservationEvent::move)
                .map(Event.Move::why);
        if (there.equals(ReplanQueue.toCome(before)) && before.whole() == before) {
            return before;
        }
        var event = comes(before, there, reason.orElse(why));
        moves.put(reservation.id(), event);
        return event.reservation();
    }

    private ReservationEvent comes(Reservation before, List<Part> there, MoveReason why) {
        if (there.equals(ReplanQueue.toCome(before))) {
            return ReservationEvent.of(
                    Event.Type.RESTORED, before.goingOn(before.whole().placement(), now));
        }
        return before.whole().isOpen(now)
                ? Moves.to(new Place(there), before, schedule, why, now)
                : Moves.toOtherPes(there, before, why, now);
    }

    private ReservationEvent failed(Reservation reservation) {
        return Breach.of(reservation, schedule, EndReason.PES_LOST, now);
    }
}
