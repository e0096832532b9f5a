package berth.scheduling;

import static berth.pricing.RigidPrices.moved;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Outage;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainSchedule.Verdict;
import berth.sla.Mobility;
import berth.sla.ServiceClass;
import berth.time.Slot;
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
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The rules for a decision in which PEs are lost, checked second by second. A reservation that lost PEs had to give way to those that stay
 * and precede it. A movable one got the place that the policy chose among those left in its turn, or one for which others moved, or there
 * was none. No other reservation changed. Batch jobs gave way first, and no more of them than necessary.
 */
final class DisplacementRules {

    private static final Comparator<Reservation> TURN = Comparator.<Reservation>comparingInt(
                    reservation -> reservation.origin().serviceClass() == ServiceClass.PREMIUM ? 1 : 2)
            .thenComparingInt(reservation -> reservation.state() == ReservationState.RUNNING ? 1 : 2)
            .thenComparingLong(reservation -> reservation.terms().window().deadline()
                    - reservation.terms().runTime())
            .thenComparing(reservation -> reservation.id().value());

    private final Map<Reservation, PlainPlace> placed = new LinkedHashMap<>();
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
    static void check(ClusterSchedule before, List<Event> events, Verdict.Lost lost, long end, long now) {
        var outages = new ArrayList<>(before.outages());
        var cluster = before.cluster();
        var running = List.copyOf(before.jobs().running());
        var gone = PeSet.NONE;
        switch (events.getLast()) {
            case ClusterEvent(var changed, var _) -> {
                gone = cluster.binding() == Binding.EARLY ? PeSet.range(changed.pes(), cluster.pes()) : gone;
                cluster = changed;
            }
            case OutageEvent(var _, var outage, var _) -> {
                var rules = new DisplacementRules(cluster, List.copyOf(outages), List.of(), lost, end, now);
                assertThat(outage.peIds()).isEqualTo(rules.peIds(outage.pes(), before.reservations()));
                gone = outage.peIds().orElse(gone);
                outages.add(outage);
            }
            case ReservationEvent _, JobEvent _, JobsEvent _, RequestEvent _, BudgetEvent _ ->
                throw new AssertionError("Nothing was lost by " + events.getLast());
        }
        var requeued = new ArrayList<BatchJob>();
        var displaced = new LinkedHashMap<ReservationId, ReservationEvent>();
        for (var event : events.subList(0, events.size() - 1)) {
            switch (event) {
                case JobEvent(var type, var job, var _) -> {
                    var was = before.jobs().find(job.id()).orElseThrow();
                    assertThat(type).isEqualTo(Event.Type.JOB_REQUEUED);
                    assertThat(displaced).as("jobs give way first").isEmpty();
                    assertThat(job).isEqualTo(was.requeued());
                    requeued.add(was);
                }
                case ReservationEvent about ->
                    assertThat(displaced.put(about.reservation().id(), about)).isNull();
                default -> throw new AssertionError("Nothing that a loss leads to: " + event);
            }
        }
        var must = new DisplacementRules(cluster, outages, List.of(), lost, end, now)
                .giveWay(running, before.reservations(), gone);
        var changed = cluster;
        Function<List<BatchJob>, DisplacementRules> where = giving -> {
            var rest = new ArrayList<>(running);
            rest.removeAll(giving);
            var rules = new DisplacementRules(changed, outages, rest, lost, end, now);
            rules.place(before.reservations());
            return rules;
        };
        checkJobs(requeued, must, running, where);
        where.apply(requeued).check(displaced);
        if (events.getLast() instanceof OutageEvent(var _, var outage, var _)) {
            assertThat(outage.moved()).containsExactlyElementsOf(whom(Event.Type.MOVED, displaced));
            assertThat(outage.failed()).containsExactlyElementsOf(whom(Event.Type.FAILED, displaced));
        }
    }

    /** Checks that as many other jobs give way as are needed to spare the reservations that all of them together would spare. */
    private static void checkJobs(
            List<BatchJob> requeued,
            List<BatchJob> must,
            List<BatchJob> running,
            Function<List<BatchJob>, DisplacementRules> where) {
        var all = new ArrayList<>(must);
        running.stream().filter(job -> !must.contains(job)).sorted(LATEST_FIRST).forEach(all::add);
        assertThat(requeued).isEqualTo(all.subList(0, requeued.size()));
        assertThat(requeued).hasSizeGreaterThanOrEqualTo(must.size());
        int fewest = where.apply(all).failed.size();
        int failed = where.apply(requeued).failed.size();
        if (requeued.size() == must.size()) {
            assertThat(failed).as("more jobs cannot help").isLessThanOrEqualTo(fewest);
        } else {
            var oneLess = requeued.subList(0, requeued.size() - 1);
            assertThat(failed).isLessThanOrEqualTo(fewest);
            assertThat(where.apply(oneLess).failed).as("one job less").hasSizeGreaterThan(fewest);
        }
    }

    private static final Comparator<BatchJob> LATEST_FIRST = Comparator.comparingLong(
                    (BatchJob job) -> -job.run().orElseThrow().start())
            .thenComparing(job -> -job.rank());

    /**
     * Returns the jobs that give way in any case: those on the lost PEs, and those that began last if too few PEs remain. A reservation
     * that runs on lost PEs fails whatever gives way.
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
            before.stream()
                    .filter(one ->
                            one.placement().peIds().filter(gone::intersects).isEmpty())
                    .forEach(one -> room.take(one.slot(), one.terms().pes(), Optional.empty()));
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
                .sorted(Comparator.<Reservation>comparingInt(reservation -> reservation.isMovable(now) ? 2 : 1)
                        .thenComparing(TURN))
                .toList();
    }

    /** Finds a place for every reservation, or none. */
    private void place(Collection<Reservation> before) {
        var touched = inTurn(before);
        before.stream()
                .filter(reservation -> !touched.contains(reservation))
                .forEach(reservation -> placed.put(reservation, place(reservation)));
        for (var reservation : touched) {
            if (mayStay(reservation)) {
                placed.put(reservation, place(reservation));
            } else {
                homeless.add(reservation);
            }
        }
        homeless.sort(TURN);
        for (var reservation : homeless) {
            if (!isPlacedAnew(reservation)) {
                failed.add(reservation);
            }
        }
    }

    private void check(Map<ReservationId, ReservationEvent> displaced) {
        var moved = new HashMap<>(placed);
        moved.entrySet().removeIf(entry -> place(entry.getKey()).equals(entry.getValue()));
        assertThat(displaced).hasSize(moved.size() + failed.size());
        failed.forEach(reservation -> checkFailure(reservation, event(displaced, reservation)));
        moved.forEach((reservation, place) -> checkMove(reservation, place, event(displaced, reservation)));
        if (cluster.policy().juggling() == Juggling.NEVER) {
            assertThat(displaced.keySet())
                    .containsExactlyElementsOf(
                            homeless.stream().map(Reservation::id).toList());
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
        assertThat(event.reservation()).isEqualTo(reservation.failed(EndReason.PES_LOST, credit, now));
    }

    private void checkMove(Reservation reservation, PlainPlace place, ReservationEvent event) {
        assertThat(event.type()).isEqualTo(Event.Type.MOVED);
        var after = event.reservation();
        long start = place.slot().start();
        assertThat(place(after)).isEqualTo(place);
        assertThat(after.terms()).isEqualTo(reservation.terms());
        assertThat(after.origin()).isEqualTo(reservation.origin());
        assertThat(after.status().version()).isEqualTo(reservation.status().version() + 1);
        assertThat(after.placement().fixesAt()).isEqualTo(fixesAt(reservation, start));
        assertThat(after.price())
                .isEqualTo(moved(
                        cluster.tariff(),
                        reservation.price(),
                        reservation.terms(),
                        start,
                        Mobility.until(fixesAt(reservation, start), now, start),
                        reservation.origin().serviceClass()));
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
        return reservation.isMovable(now) && (isPlacedAnew(reservation, owners) || isPlacedAnew(reservation, notice));
    }

    private boolean isPlacedAnew(Reservation reservation, long ahead) {
        var plain = chosen(reservation, ahead, room(placed.keySet()));
        if (plain.isPresent() || cluster.policy().juggling() == Juggling.NEVER) {
            plain.ifPresent(place -> placed.put(reservation, place));
            return plain.isPresent();
        }
        var movable = placed.keySet().stream().filter(this::mayMove).toList();
        var others = placed.keySet().stream().filter(one -> !mayMove(one)).toList();
        var queue = movable.stream()
                .map(one -> waiting(one, Objects.requireNonNull(placed.get(one))))
                .toList();
        var juggled = new PlainJuggling(cluster, () -> room(others), queue, now)
                .admit(
                        waiting(reservation, place(reservation)),
                        OptionalLong.empty(),
                        room -> chosen(reservation, ahead, room));
        juggled.ifPresent(found -> {
            movable.forEach(one ->
                    placed.computeIfPresent(one, (_, place) -> found.moves().getOrDefault(one.id(), place)));
            placed.put(reservation, found.newcomer());
        });
        return juggled.isPresent();
    }

    private boolean mayMove(Reservation reservation) {
        var place = Objects.requireNonNull(placed.get(reservation));
        return reservation.isMovable(now)
                && (place.equals(place(reservation))
                        || now < fixesAt(reservation, place.slot().start()));
    }

    private static PlainJuggling.Waiting waiting(Reservation reservation, PlainPlace place) {
        return new PlainJuggling.Waiting(
                reservation.id(), reservation.terms(), reservation.status().createdAt(), place);
    }

    private Optional<PlainPlace> chosen(Reservation reservation, long ahead, PlainRoom room) {
        var terms = reservation.terms();
        long earliest = Math.max(terms.window().readyTime(), now + ahead);
        var start = earliest > terms.latestStart()
                ? OptionalLong.empty()
                : room.choose(earliest, terms.latestStart(), terms.runTime(), terms.pes(), cluster.pes(), now);
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
            room.take(place.slot(), reservation.terms().pes(), place.peIds());
        }
        return room;
    }
}
