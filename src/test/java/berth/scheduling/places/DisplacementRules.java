package berth.scheduling.places;

import static berth.pricing.RigidPrices.moved;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.reservation.EndReason;
import berth.reservation.Losses;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainJuggling;
import berth.scheduling.PlainPlace;
import berth.scheduling.PlainRoom;
import berth.scheduling.PlainSchedule;
import berth.scheduling.PlainSchedule.Verdict;
import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The rules for a decision in which PEs are lost or come back, checked second by second. A run went on with what was left, got others for
 * the PEs that it lacked if there were any until its end, and failed only without any. A reservation that lost PEs had to give way to those
 * that stay and precede it. A movable one got the place that the policy chose among those left in its turn, or one for which others moved,
 * or there was none; any other got PEs at its own time in the same way. Without a place it failed, unless nobody knew when the PEs come
 * back: then it kept what was left until its start. No other reservation changed. Batch jobs gave way first, and no more of them than necessary.
 */
public final class DisplacementRules {

    private static final Comparator<Reservation> TURN = Comparator.<Reservation>comparingInt(
                    reservation -> reservation.origin().serviceClass() == ServiceClass.PREMIUM ? 1 : 2)
            .thenComparingInt(reservation -> reservation.state() == ReservationState.RUNNING ? 1 : 2)
            .thenComparingLong(reservation -> reservation.terms().window().deadline()
                    - reservation.terms().runTime())
            .thenComparing(reservation -> reservation.id().value());

    private static final Comparator<Reservation> RUNS_FIRST =
            Comparator.comparingInt(reservation -> reservation.state() == ReservationState.RUNNING ? 1 : 2);

    private final Map<Reservation, PlainPlace> placed = new LinkedHashMap<>();
    /** The reservations that may lose PEs or get some back without a move, in their turn, and what becomes of their losses. */
    private final Map<Reservation, Losses> lacking = new LinkedHashMap<>();

    private boolean isWithoutEnd;

    private boolean mayMove = true;
    private final List<Reservation> homeless = new ArrayList<>();
    private final List<Reservation> failed = new ArrayList<>();
    private final List<Outage> outages;
    /** The jobs that keep their PEs. */
    private final List<BatchJob> jobs;

    private final Cluster cluster;
    private final Verdict.Lost lost;
    private final long end;
    private final long now;

    private DisplacementRules(
            Cluster cluster, List<Outage> outages, List<BatchJob> jobs, Verdict.Lost lost, long end, long now) {
        this.cluster = cluster;
        this.outages = outages;
        this.jobs = jobs;
        this.lost = lost;
        this.end = end;
        this.now = now;
    }

    /**
     * Checks the events of a loss.
     *
     * @param lost when PEs are lost, and which ones if the command named them
     * @param end nothing lasts longer, except outages without end
     */
    public static void check(ClusterSchedule before, List<Event> events, Verdict.Lost lost, long end, long now) {
        var outages = new ArrayList<>(before.outages());
        var cluster = before.cluster();
        var running = List.copyOf(before.jobs().running());
        var gone = PeSet.NONE;
        switch (events.getLast()) {
            case ClusterEvent(var _, var changed, var _) -> {
                gone = cluster.binding() == Binding.EARLY ? PeSet.range(changed.pes(), cluster.pes()) : gone;
                cluster = changed;
            }
            case OutageEvent(var _, var outage, var _) -> {
                var rules = new DisplacementRules(cluster, List.copyOf(outages), List.of(), lost, end, now);
                assertThat(outage.peIds()).isEqualTo(rules.peIds(outage.pes(), before.reservations()));
                gone = outage.peIds().orElse(gone);
                outages.add(outage);
            }
            case ReservationEvent _, JobEvent _, JobsEvent _, DelayEvent _, RequestEvent _, BudgetEvent _ ->
                throw new AssertionError("Nothing was lost by " + events.getLast());
        }
        var must = new DisplacementRules(cluster, outages, List.of(), lost, end, now)
                .giveWay(running, before.reservations(), gone);
        var changed = cluster;
        var lostIds = gone;
        Function<List<BatchJob>, DisplacementRules> where = giving -> {
            var rest = new ArrayList<>(running);
            rest.removeAll(giving);
            var rules = new DisplacementRules(changed, outages, rest, lost, end, now);
            rules.isWithoutEnd = events.getLast() instanceof OutageEvent(var _, var outage, var _)
                    && outage.to().isEmpty();
            rules.place(
                    before.reservations(),
                    rules.inTurn(before.reservations()).stream()
                            .filter(one -> changed.binding() == Binding.LATE
                                    || one.placement().peIds().orElseThrow().intersects(lostIds))
                            .toList());
            return rules;
        };
        var displaced = checkJobs(before, events.subList(0, events.size() - 1), must, where);
        if (events.getLast() instanceof OutageEvent(var _, var outage, var _)) {
            assertThat(outage.moved()).containsExactlyElementsOf(whom(Event.Type.MOVED, displaced));
            assertThat(outage.failed()).containsExactlyElementsOf(whom(Event.Type.FAILED, displaced));
        }
    }

    /**
     * Checks the events of runs whose PEs may change.
     *
     * @param before the schedule in which they lack PEs, or no longer need to
     * @param mayMove whether other reservations may move for them
     * @param jobsGiveWay whether batch jobs may give way to them
     */
    public static void checkRuns(
            ClusterSchedule before,
            List<Event> events,
            List<Reservation> runs,
            boolean mayMove,
            boolean jobsGiveWay,
            long end,
            long now) {
        Function<List<BatchJob>, DisplacementRules> where = giving -> ofRuns(before, giving, runs, mayMove, end, now);
        if (jobsGiveWay) {
            checkJobs(before, events, List.of(), where);
        } else {
            where.apply(List.of()).check(displaced(events));
        }
    }

    private static DisplacementRules ofRuns(
            ClusterSchedule before,
            List<BatchJob> giving,
            List<Reservation> runs,
            boolean mayMove,
            long end,
            long now) {
        var nothing = new Verdict.Lost(
                new Slot(now, now + 1),
                Optional.empty(),
                new PlainSchedule.Change(now, Event.Type.RESTORED, new UUID(0, 0)));
        var rest = new ArrayList<>(before.jobs().running());
        rest.removeAll(giving);
        var rules = new DisplacementRules(before.cluster(), List.copyOf(before.outages()), rest, nothing, end, now);
        rules.mayMove = mayMove;
        rules.place(
                before.reservations(),
                runs.stream().sorted(RUNS_FIRST.thenComparing(TURN)).toList());
        return rules;
    }

    /** Checks that runs which lack PEs got, one after another, the free PEs with which they lack less, and that nothing else changed. */
    public static void checkReplaced(ClusterSchedule before, List<Event> events, long end, long now) {
        var rest = new ArrayDeque<>(events);
        var there = before;
        var degraded = before.reservations().stream()
                .filter(one -> one.placement().losses().lacks().stream()
                        .anyMatch(lack -> one.state() != ReservationState.RUNNING
                                || lack.slot().contains(now)))
                .sorted(TURN)
                .toList();
        for (var run : degraded) {
            var rules = ofRuns(there, List.of(), List.of(run), false, end, now);
            boolean lacksLess = rules.failed.isEmpty()
                    && lacking(rules.losses(run), run, now)
                            < lacking(run.placement().losses(), run, now);
            if (lacksLess) {
                assertThat(rest).as("events of %s", run).isNotEmpty();
                var event = rest.removeFirst();
                rules.check(displaced(List.of(event)));
                there = there.with(event);
            }
        }
        assertThat(rest).isEmpty();
    }

    /** Returns the PE-seconds that a run lacks from {@code now} on, second by second. */
    private static long lacking(Losses losses, Reservation run, long now) {
        return LongStream.range(now, run.slot().end())
                .flatMap(second -> losses.lacks().stream()
                        .filter(lack -> lack.slot().contains(second))
                        .mapToLong(Part::pes))
                .sum();
    }

    private static Map<ReservationId, ReservationEvent> displaced(List<Event> events) {
        var displaced = new LinkedHashMap<ReservationId, ReservationEvent>();
        for (var event : events) {
            switch (event) {
                case ReservationEvent about ->
                    assertThat(displaced.put(about.reservation().id(), about)).isNull();
                default -> throw new AssertionError("Nothing that a loss leads to: " + event);
            }
        }
        return displaced;
    }

    /**
     * Checks that as many jobs give way first as are needed to spare the reservations, and the PEs of runs, that all of them together would
     * spare. Returns the events of the reservations.
     */
    private static Map<ReservationId, ReservationEvent> checkJobs(
            ClusterSchedule before,
            List<Event> events,
            List<BatchJob> must,
            Function<List<BatchJob>, DisplacementRules> where) {
        var running = List.copyOf(before.jobs().running());
        var requeued = new ArrayList<BatchJob>();
        for (var event : events) {
            if (!(event instanceof JobEvent(var type, var job, var _))) {
                break;
            }
            var was = before.jobs().find(job.id()).orElseThrow();
            assertThat(type).isEqualTo(Event.Type.JOB_REQUEUED);
            assertThat(job).isEqualTo(was.requeued());
            requeued.add(was);
        }
        var displaced = displaced(events.subList(requeued.size(), events.size()));
        checkJobs(requeued, must, running, where);
        where.apply(requeued).check(displaced);
        return displaced;
    }

    private static void checkJobs(
            List<BatchJob> requeued,
            List<BatchJob> must,
            List<BatchJob> running,
            Function<List<BatchJob>, DisplacementRules> where) {
        var all = new ArrayList<>(must);
        running.stream().filter(job -> !must.contains(job)).sorted(LATEST_FIRST).forEach(all::add);
        assertThat(requeued).isEqualTo(all.subList(0, requeued.size()));
        assertThat(requeued).hasSizeGreaterThanOrEqualTo(must.size());
        long least = where.apply(all).harm();
        long harm = where.apply(requeued).harm();
        if (requeued.size() == must.size()) {
            assertThat(harm).as("more jobs cannot help").isLessThanOrEqualTo(least);
        } else {
            var oneLess = requeued.subList(0, requeued.size() - 1);
            assertThat(harm).isLessThanOrEqualTo(least);
            assertThat(where.apply(oneLess).harm()).as("one job less").isGreaterThan(least);
        }
    }

    /** Returns a number that grows with the reservations that fail and, if they are as many, with the PEs that runs lack now. */
    private long harm() {
        return failed.size() * 1_000L
                + lacking.values().stream()
                        .flatMap(losses -> losses.present().stream())
                        .mapToInt(Part::pes)
                        .sum();
    }

    private static final Comparator<BatchJob> LATEST_FIRST = Comparator.comparingLong(
                    (BatchJob job) -> -job.run().orElseThrow().start())
            .thenComparing(job -> -job.rank());

    /**
     * Returns the jobs that give way in any case: those on the lost PEs, and those that began last if too few PEs remain for what the
     * reservations have besides those PEs.
     */
    private List<BatchJob> giveWay(List<BatchJob> running, Collection<Reservation> before, PeSet gone) {
        var rest = new ArrayList<>(running);
        var give = new ArrayList<BatchJob>();
        for (var job : running.stream().sorted(LATEST_FIRST).toList()) {
            if (job.part().slot().overlaps(lost.when())
                    && job.run().orElseThrow().peIds().intersects(gone)) {
                rest.remove(job);
                give.add(job);
            }
        }
        if (cluster.binding() == Binding.EARLY) {
            return give;
        }
        for (var job :
                running.stream().sorted(LATEST_FIRST).filter(rest::contains).toList()) {
            var room = new PlainRoom(cluster, end);
            room.take(outages);
            rest.forEach(one -> room.takeForJob(one.part().slot(), one.pes(), Optional.empty()));
            for (var one : before) {
                int lost = one.state() == ReservationState.RUNNING
                        ? one.placement().peIds().orElseThrow().and(gone).size()
                        : 0;
                one.placement()
                        .has(0)
                        .forEach(has -> room.take(has.slot(), Math.max(0, has.pes() - lost), Optional.empty()));
            }
            var slot = job.part().slot();
            long from = Math.max(slot.start(), lost.when().start());
            long to = Math.min(slot.end(), lost.when().end());
            if (from < to && room.fewest(new Slot(from, to)) < 0) {
                rest.remove(job);
                give.add(job);
            }
        }
        return give;
    }

    private static List<ReservationId> whom(Event.Type what, Map<ReservationId, ReservationEvent> displaced) {
        return displaced.values().stream()
                .filter(event -> event.type() == what)
                .map(event -> event.reservation().id())
                .toList();
    }

    /** Returns the PEs that an outage takes: of the possible ones, the highest-numbered that no spared reservation has. */
    private Optional<PeSet> peIds(int pes, Collection<Reservation> before) {
        if (lost.named().isPresent() || cluster.binding() == Binding.LATE) {
            return lost.named();
        }
        var left = new TreeSet<Integer>();
        IntStream.range(0, cluster.pes())
                .filter(pe -> outages.stream()
                        .noneMatch(outage -> outage.slot().overlaps(lost.when())
                                && outage.peIds().orElseThrow().contains(pe)))
                .forEach(left::add);
        var free = Set.copyOf(left);
        if (left.size() < pes) {
            IntStream.range(0, cluster.pes())
                    .map(pe -> cluster.pes() - 1 - pe)
                    .filter(pe -> !free.contains(pe))
                    .limit(pes - free.size())
                    .forEach(left::add);
            return Optional.of(
                    PeSet.of(left.stream().mapToInt(Integer::intValue).toArray()));
        }
        for (var reservation : inTurn(before)) {
            var others = new TreeSet<>(left);
            others.removeIf(reservation.placement().peIds().orElseThrow()::contains);
            left = others.size() < pes ? left : others;
        }
        return Optional.of(PeSet.of(left.descendingSet().stream()
                .limit(pes)
                .mapToInt(Integer::intValue)
                .toArray()));
    }

    /** Returns the reservations that overlap the loss, in the order in which they may stay. */
    private List<Reservation> inTurn(Collection<Reservation> all) {
        return all.stream()
                .filter(reservation -> reservation.slot().overlaps(lost.when()))
                .sorted(Comparator.<Reservation>comparingInt(
                                reservation -> reservation.state() == ReservationState.RUNNING ? 1 : 2)
                        .thenComparingInt(reservation -> reservation.isMovable(now) ? 2 : 1)
                        .thenComparing(TURN))
                .toList();
    }

    /** Finds a place for every reservation, or none. */
    private void place(Collection<Reservation> before, List<Reservation> touched) {
        before.stream()
                .filter(reservation -> !touched.contains(reservation))
                .forEach(reservation -> placed.put(reservation, place(reservation)));
        for (var reservation : touched) {
            if (reservation.state() == ReservationState.RUNNING) {
                placed.put(reservation, place(reservation));
                lacking.put(reservation, left(reservation));
            } else if (mayStay(reservation)) {
                isWhole(reservation, place(reservation));
            } else {
                homeless.add(reservation);
            }
        }
        for (var run : List.copyOf(lacking.keySet())) {
            goOn(run);
        }
        homeless.sort(TURN);
        for (var reservation : homeless) {
            if (isPlacedAnew(reservation)) {
                continue;
            }
            boolean mayWait = isWithoutEnd || awaits(reservation);
            if (mayWait && now < reservation.slot().start()) {
                placed.put(reservation, place(reservation));
                lacking.put(reservation, left(reservation));
            } else {
                failed.add(reservation);
            }
        }
    }

    private static boolean awaits(Reservation reservation) {
        return reservation.state() != ReservationState.RUNNING
                && !reservation.placement().losses().lacks().isEmpty();
    }

    /** Gives a reservation that has not begun all its PEs there. */
    private void isWhole(Reservation reservation, PlainPlace there) {
        placed.put(reservation, there);
        if (awaits(reservation)) {
            lacking.put(reservation, Losses.NONE);
        }
    }

    // ---- runs

    /** Returns the losses of a reservation that has its place beside all others: what it lacks in each second from now on. */
    private Losses left(Reservation run) {
        var known = run.placement().losses();
        var place = Objects.requireNonNull(placed.remove(run));
        var lacks = room().lacking(
                        new Slot(
                                Math.max(now, place.slot().start()),
                                place.slot().end()),
                        run.terms().pes(),
                        place.peIds(),
                        heldIds(),
                        outages);
        placed.put(run, place);
        return new Losses(lostBy(known), now, lacks);
    }

    /** Returns the PE-seconds that a run has lost, second by second. */
    private long lostBy(Losses known) {
        return known.lost()
                + LongStream.range(known.since(), now)
                        .map(second -> known.lacks().stream()
                                .filter(lack -> lack.slot().contains(second))
                                .mapToInt(Part::pes)
                                .sum())
                        .sum();
    }

    /** Returns the PEs that runs and jobs hold. */
    private long heldIds() {
        long held = jobs.stream()
                .mapToLong(job -> PlainRoom.bits(job.run().orElseThrow().peIds()))
                .reduce(0, (one, other) -> one | other);
        for (var entry : placed.entrySet()) {
            if (entry.getKey().state() == ReservationState.RUNNING) {
                var lost = losses(entry.getKey()).present().flatMap(Part::peIds).orElse(PeSet.NONE);
                held |= PlainRoom.bits(entry.getValue().peIds().orElseThrow().minus(lost));
            }
        }
        return held;
    }

    private Losses losses(Reservation reservation) {
        return lacking.getOrDefault(reservation, reservation.placement().losses());
    }

    /** Gets other PEs for those that a run lacks now: all if there are enough or others move for them, or else as many as are free. */
    private void goOn(Reservation run) {
        var lack = losses(run).present().filter(_ -> run.state() == ReservationState.RUNNING);
        if (lack.isEmpty()) {
            return;
        }
        var slot = new Slot(now, run.slot().end());
        int all = cluster.pes();
        int found = lack.get().pes();
        if (!hasRoom(run, slot, found)) {
            while (found > 0 && !room().isFree(slot, found, all)) {
                found--;
            }
        }
        if (found > 0) {
            long others = cluster.binding() == Binding.EARLY
                    ? PlainRoom.bits(room().bound(slot, found, all).orElseThrow())
                    : nobodys(found);
            var lost = lack.get().peIds().orElseThrow();
            var kept = place(run)
                    .peIds()
                    .orElseThrow()
                    .minus(lost)
                    .or(lost.lowest(lack.get().pes() - found));
            placed.put(run, new PlainPlace(run.slot(), Optional.of(kept.or(PlainRoom.pes(others)))));
            lacking.put(run, left(run));
        }
        if (losses(run)
                .present()
                .filter(still -> still.pes() == run.terms().pes())
                .isPresent()) {
            placed.remove(run);
            lacking.remove(run);
            failed.add(run);
        }
    }

    /** Returns the lowest-numbered PEs that nobody holds and no outage names. */
    private long nobodys(int pes) {
        long taken = heldIds();
        for (var outage : outages) {
            taken |= PlainRoom.bits(outage.peIds().orElse(PeSet.NONE));
        }
        long found = 0;
        for (int pe = 0; Long.bitCount(found) < pes; pe++) {
            found |= ~taken & 1L << pe;
        }
        return found;
    }

    private boolean hasRoom(Reservation run, Slot slot, int pes) {
        if (room().isFree(slot, pes, cluster.pes())) {
            return true;
        }
        if (!mayMove || cluster.policy().juggling() == Juggling.NEVER) {
            return false;
        }
        var terms = new Terms(
                new Window(slot.start(), slot.end()),
                slot.duration(),
                List.of(new Shape(pes, slot.duration())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.STRICT);
        var newcomer = new PlainJuggling.Waiting(
                run.id(),
                run.origin().serviceClass(),
                run.status().moves().count(),
                terms,
                terms.window(),
                run.status().createdAt(),
                new PlainPlace(slot, Optional.empty()));
        return juggled(
                        newcomer,
                        OptionalLong.of(now),
                        room -> room.isFree(slot, pes, cluster.pes())
                                ? Optional.of(new PlainPlace(slot, room.bound(slot, pes, cluster.pes())))
                                : Optional.empty())
                .isPresent();
    }

    private void checkRun(Reservation run, ReservationEvent event) {
        var after = event.reservation();
        var place = Objects.requireNonNull(placed.get(run));
        assertThat(place(after)).isEqualTo(place);
        assertThat(after.placement().losses()).isEqualTo(losses(run));
        assertThat(after.status().version()).isEqualTo(run.status().version() + 1);
        assertThat(after.terms()).isEqualTo(run.terms());
        assertThat(after.charge()).isEqualTo(run.charge());
        int had = run.placement().losses().present().map(Part::pes).orElse(0);
        int has = losses(run).present().map(Part::pes).orElse(0);
        if (awaits(run) && losses(run).equals(Losses.NONE)) {
            assertThat(event.type()).isEqualTo(Event.Type.RESTORED);
        } else if (has > had) {
            assertThat(event.type()).isEqualTo(Event.Type.DEGRADED);
        } else if (!place.equals(place(run))) {
            assertThat(event.type()).isEqualTo(Event.Type.REPLACED);
        } else if (has < had) {
            assertThat(event.type()).isEqualTo(Event.Type.RESTORED);
        } else {
            assertThat(event.type()).isIn(Event.Type.DEGRADED, Event.Type.LOSING, Event.Type.RESTORED);
        }
    }

    /** Whether a reservation is not as it was known to be; one that moved is not considered. */
    private boolean hasChanged(Reservation run) {
        var known = run.placement().losses();
        if (run.state() != ReservationState.RUNNING) {
            return place(run).equals(placed.get(run)) && !losses(run).lacks().equals(known.lacks());
        }
        return !place(run).equals(placed.get(run))
                || !losses(run).lacks().equals(known.from(now))
                || known.changesAt() <= now;
    }

    private void check(Map<ReservationId, ReservationEvent> displaced) {
        var changed = lacking.keySet().stream().filter(this::hasChanged).toList();
        var moved = new HashMap<>(placed);
        moved.entrySet()
                .removeIf(entry -> place(entry.getKey()).equals(entry.getValue())
                        || entry.getKey().state() == ReservationState.RUNNING);
        assertThat(displaced).hasSize(changed.size() + moved.size() + failed.size());
        changed.forEach(run -> checkRun(run, event(displaced, run)));
        failed.forEach(reservation -> checkFailure(reservation, event(displaced, reservation)));
        moved.forEach((reservation, place) -> checkMove(reservation, place, event(displaced, reservation)));
        if (cluster.policy().juggling() == Juggling.NEVER) {
            // one of them can get its own place again, and then nothing happens to it
            assertThat(displaced.keySet())
                    .endsWith(homeless.stream()
                            .map(Reservation::id)
                            .filter(displaced::containsKey)
                            .toArray(ReservationId[]::new));
        }
    }

    private static ReservationEvent event(Map<ReservationId, ReservationEvent> displaced, Reservation reservation) {
        assertThat(displaced).containsKey(reservation.id());
        return Objects.requireNonNull(displaced.get(reservation.id()));
    }

    private static PlainPlace place(Reservation reservation) {
        return new PlainPlace(reservation.slot(), reservation.placement().peIds());
    }

    private void checkFailure(Reservation reservation, ReservationEvent event) {
        var credit = cluster.tariff().credit(reservation.price());
        assertThat(event.type()).isEqualTo(Event.Type.FAILED);
        var failed = reservation.failed(EndReason.PES_LOST, credit, now);
        // NearestPlacesRules checks the nearest place
        assertThat(event.reservation())
                .isEqualTo(event.reservation()
                        .status()
                        .nearestPlace()
                        .map(failed::fitting)
                        .orElse(failed));
    }

    private void checkMove(Reservation reservation, PlainPlace place, ReservationEvent event) {
        assertThat(event.type()).isEqualTo(Event.Type.MOVED);
        var after = event.reservation();
        long start = place.slot().start();
        assertThat(place(after)).isEqualTo(place);
        assertThat(after.terms()).isEqualTo(reservation.terms());
        assertThat(after.origin()).isEqualTo(reservation.origin());
        assertThat(after.status().version()).isEqualTo(reservation.status().version() + 1);
        assertThat(after.placement().losses()).isEqualTo(Losses.NONE);
        if (!reservation.whole().isOpen(now)) {
            assertThat(after.status().moves()).isEqualTo(reservation.status().moves());
            assertThat(place.slot()).isEqualTo(reservation.slot());
            assertThat(after.placement().fixesAt())
                    .isEqualTo(reservation.placement().fixesAt());
            assertThat(after.price()).isEqualTo(reservation.price());
            return;
        }
        assertThat(after.placement().fixesAt()).isEqualTo(fixesAt(reservation, start));
        var moved = moved(
                cluster.tariff(),
                reservation.price(),
                reservation.terms(),
                start,
                PlainSchedule.usable(
                        cluster, Mobility.until(fixesAt(reservation, start), now, start), reservation.terms(), 0),
                reservation.origin().serviceClass());
        assertThat(after.price()).isEqualTo(PlainSchedule.afterMove(cluster, moved));
        assertThat(after.status().moves().count())
                .isEqualTo(reservation.status().moves().count() + 1);
        assertThat(after.status().moves().agreed())
                .isEqualTo(Optional.of(reservation.status().moves().agreed().orElse(reservation.slot())));
        assertThat(after.price().exceeds(reservation.price())).isFalse();
        assertThat(start).isGreaterThanOrEqualTo(now + cluster.policy().notice());
    }

    private long fixesAt(Reservation reservation, long start) {
        return reservation
                .terms()
                .fixing()
                .movedTo(
                        now,
                        reservation.placement().fixesAt(),
                        start,
                        cluster.policy().notice());
    }

    /** Whether there is a place for a reservation, possibly after others move; it gets that place. */
    private boolean isPlacedAnew(Reservation reservation) {
        long notice = cluster.policy().notice();
        long owners = Math.max(notice, reservation.terms().fixing().before().orElse(0));
        boolean isOpen = reservation.state() == ReservationState.CONFIRMED
                && now < reservation.placement().fixesAt()
                && !awaits(reservation);
        return isOpen
                ? isPlacedAnew(reservation, owners, within(reservation))
                        || isPlacedAnew(reservation, notice, reservation.terms().window())
                : isPlaced(
                        reservation,
                        OptionalLong.of(reservation.slot().start()),
                        room -> inItsPlace(reservation, room));
    }

    private static Window within(Reservation reservation) {
        return PlainJuggling.within(
                reservation.terms(), reservation.status().moves().agreed().orElse(reservation.slot()));
    }

    private boolean isPlacedAnew(Reservation reservation, long ahead, Window within) {
        return isPlaced(reservation, OptionalLong.empty(), room -> chosen(reservation, ahead, within, room));
    }

    private boolean isPlaced(
            Reservation reservation, OptionalLong start, Function<PlainRoom, Optional<PlainPlace>> look) {
        var found = look.apply(room());
        if (found.isEmpty() && mayMove && cluster.policy().juggling() != Juggling.NEVER) {
            found = juggled(waiting(reservation, place(reservation)), start, look);
        }
        found.ifPresent(place -> isWhole(reservation, place));
        return found.isPresent();
    }

    private Optional<PlainPlace> inItsPlace(Reservation reservation, PlainRoom room) {
        var slot = reservation.slot();
        int pes = reservation.terms().pes();
        return room.isFree(slot, pes, cluster.pes())
                ? Optional.of(new PlainPlace(slot, room.bound(slot, pes, cluster.pes())))
                : Optional.empty();
    }

    /** Returns the place of a newcomer for which others move. */
    private Optional<PlainPlace> juggled(
            PlainJuggling.Waiting newcomer, OptionalLong start, Function<PlainRoom, Optional<PlainPlace>> look) {
        var movable = placed.keySet().stream().filter(this::mayMove).toList();
        var others = placed.keySet().stream().filter(one -> !mayMove(one)).toList();
        var queue = movable.stream()
                .map(one -> waiting(one, Objects.requireNonNull(placed.get(one))))
                .toList();
        var juggled = new PlainJuggling(cluster, () -> room(others), queue, now).admit(newcomer, start, look);
        juggled.ifPresent(found -> movable.forEach(one ->
                placed.computeIfPresent(one, (_, place) -> found.moves().getOrDefault(one.id(), place))));
        return juggled.map(PlainJuggling.Placed::newcomer);
    }

    private boolean mayMove(Reservation reservation) {
        var place = Objects.requireNonNull(placed.get(reservation));
        boolean isWhole = reservation.state() == ReservationState.RUNNING
                || losses(reservation).lacks().isEmpty();
        return isWhole
                && reservation.whole().isMovable(now)
                && (place.equals(place(reservation))
                        || now < fixesAt(reservation, place.slot().start())
                                && moves(reservation, place)
                                        < reservation
                                                .terms()
                                                .mobility()
                                                .maxMoves()
                                                .orElse(Integer.MAX_VALUE));
    }

    /** Returns how often a reservation has been moved if it lies there. */
    private static int moves(Reservation reservation, PlainPlace place) {
        return reservation.status().moves().count() + (place.equals(place(reservation)) ? 0 : 1);
    }

    private static PlainJuggling.Waiting waiting(Reservation reservation, PlainPlace place) {
        return new PlainJuggling.Waiting(
                reservation.id(),
                reservation.origin().serviceClass(),
                moves(reservation, place),
                reservation.terms(),
                within(reservation),
                reservation.status().createdAt(),
                place);
    }

    private Optional<PlainPlace> chosen(Reservation reservation, long ahead, Window within, PlainRoom room) {
        var terms = reservation.terms();
        long earliest = Math.max(within.readyTime(), now + ahead);
        long latest = within.deadline() - terms.runTime();
        var start = earliest > latest
                ? OptionalLong.empty()
                : room.choose(earliest, latest, terms.runTime(), terms.pes(), cluster.pes(), now);
        if (start.isEmpty()) {
            return Optional.empty();
        }
        var slot = Slot.of(start.getAsLong(), terms.runTime());
        return Optional.of(new PlainPlace(slot, room.bound(slot, terms.pes(), cluster.pes())));
    }

    /** Whether a reservation can keep its place beside those that are placed. */
    private boolean mayStay(Reservation reservation) {
        var own = reservation.placement().peIds();
        return switch (cluster.binding()) {
            case LATE ->
                room().fewest(reservation.slot()) >= reservation.terms().pes()
                        && own.filter(ids ->
                                        lost.named().filter(ids::intersects).isPresent())
                                .isEmpty();
            case EARLY -> (PlainRoom.bits(own.orElseThrow()) & ~room().ids(reservation.slot(), cluster.pes())) == 0;
        };
    }

    private PlainRoom room() {
        return room(placed.keySet());
    }

    private PlainRoom room(Collection<Reservation> those) {
        var room = new PlainRoom(cluster, end);
        room.take(outages);
        jobs.forEach(
                job -> room.takeForJob(job.part().slot(), job.pes(), job.part().peIds()));
        for (var reservation : those) {
            var place = Objects.requireNonNull(placed.get(reservation));
            room.take(place.slot(), reservation.terms().pes(), place.peIds(), losses(reservation));
        }
        return room;
    }
}
