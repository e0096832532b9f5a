package berth.scheduling;

import static berth.pricing.RigidPrices.moved;
import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.PlainSchedule.Verdict;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What must hold of a decision by which PEs are lost, checked second by second: who lost its PEs had to give way to those
 * that stay and come before it; whoever could be moved got the place that the policy chose of those that were left when its turn
 * came, or there was none; nobody else was touched.
 */
final class DisplacementRules {

    private static final Comparator<Reservation> TURN = Comparator.<Reservation>comparingInt(
                    reservation -> reservation.origin().serviceClass() == ServiceClass.PREMIUM ? 1 : 2)
            .thenComparingInt(reservation -> reservation.state() == ReservationState.RUNNING ? 1 : 2)
            .thenComparingLong(reservation -> reservation.terms().window().deadline()
                    - reservation.terms().runTime())
            .thenComparing(reservation -> reservation.id().value());

    private final List<Reservation> placed = new ArrayList<>();
    private final List<Outage> outages;
    private final Cluster cluster;
    private final Verdict.Lost lost;
    private final long end;
    private final long now;

    private DisplacementRules(Cluster cluster, List<Outage> outages, Verdict.Lost lost, long end, long now) {
        this.cluster = cluster;
        this.outages = outages;
        this.lost = lost;
        this.end = end;
        this.now = now;
    }

    /**
     * Checks the events of a loss.
     *
     * @param lost when PEs are lost, and which if the command named them
     * @param end nothing lasts longer, but for outages without end
     */
    static void check(ClusterSchedule before, List<Event> events, Verdict.Lost lost, long end, long now) {
        var outages = new ArrayList<>(before.outages());
        var cluster = before.cluster();
        switch (events.getLast()) {
            case ClusterEvent(var changed, var _) -> cluster = changed;
            case OutageEvent(var _, var outage, var _) -> {
                var rules =
                        new DisplacementRules(cluster, before.outages().stream().toList(), lost, end, now);
                assertThat(outage.peIds()).isEqualTo(rules.peIds(outage.pes(), before.reservations()));
                outages.add(outage);
            }
            case ReservationEvent event -> throw new AssertionError("Nothing was lost by " + event);
        }
        var displaced = new LinkedHashMap<ReservationId, ReservationEvent>();
        for (var event : events.subList(0, events.size() - 1)) {
            var about = (ReservationEvent) event;
            assertThat(displaced.put(about.reservation().id(), about)).isNull();
        }
        new DisplacementRules(cluster, outages, lost, end, now).check(before.reservations(), displaced);
        if (events.getLast() instanceof OutageEvent(var _, var outage, var _)) {
            assertThat(outage.moved()).containsExactlyElementsOf(whom(Event.Type.MOVED, displaced));
            assertThat(outage.failed()).containsExactlyElementsOf(whom(Event.Type.FAILED, displaced));
        }
    }

    private static List<ReservationId> whom(Event.Type what, Map<ReservationId, ReservationEvent> displaced) {
        return displaced.values().stream()
                .filter(event -> event.type() == what)
                .map(event -> event.reservation().id())
                .toList();
    }

    /** Which PEs an outage takes: of those that it could have, the highest-numbered of nobody who can be spared. */
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

    /** Those that overlap the loss, in the order in which they may stay. */
    private List<Reservation> inTurn(Collection<Reservation> all) {
        return all.stream()
                .filter(reservation -> reservation.slot().overlaps(lost.when()))
                .sorted(Comparator.<Reservation>comparingInt(reservation -> reservation.isMovable(now) ? 2 : 1)
                        .thenComparing(TURN))
                .toList();
    }

    private void check(Collection<Reservation> before, Map<ReservationId, ReservationEvent> displaced) {
        var touched = inTurn(before);
        before.stream().filter(reservation -> !touched.contains(reservation)).forEach(placed::add);
        assertThat(touched).extracting(Reservation::id).containsAll(displaced.keySet());
        var homeless = new ArrayList<Reservation>();
        for (var reservation : touched) {
            boolean stays = !displaced.containsKey(reservation.id());
            assertThat(mayStay(reservation)).as("%s stays", reservation).isEqualTo(stays);
            (stays ? placed : homeless).add(reservation);
        }
        homeless.sort(TURN);
        assertThat(displaced.keySet())
                .containsExactlyElementsOf(
                        homeless.stream().map(Reservation::id).toList());
        var turn = homeless.iterator();
        for (var event : displaced.values()) {
            checkPlaceAnew(turn.next(), event);
            placed.add(event.reservation());
        }
    }

    private void checkPlaceAnew(Reservation reservation, ReservationEvent event) {
        var after = event.reservation();
        var tariff = cluster.tariff();
        var serviceClass = reservation.origin().serviceClass();
        var place = reservation.isMovable(now) ? chosen(reservation) : OptionalLong.empty();
        if (place.isEmpty()) {
            assertThat(event.type()).isEqualTo(Event.Type.FAILED);
            assertThat(after).isEqualTo(reservation.failed(tariff.credit(reservation.price(), serviceClass), now));
            return;
        }
        long start = place.getAsLong();
        assertThat(event.type()).isEqualTo(Event.Type.MOVED);
        assertThat(after.slot()).isEqualTo(Slot.of(start, reservation.terms().runTime()));
        assertThat(after.placement().peIds())
                .isEqualTo(room().bound(after.slot(), reservation.terms().pes(), cluster.pes()));
        assertThat(after.terms()).isEqualTo(reservation.terms());
        assertThat(after.origin()).isEqualTo(reservation.origin());
        assertThat(after.placement().fixesAt())
                .isEqualTo(reservation
                        .terms()
                        .fixing()
                        .movedTo(
                                now,
                                reservation.placement().fixesAt(),
                                start,
                                cluster.policy().notice()));
        assertThat(after.price())
                .isEqualTo(moved(tariff, reservation.price(), reservation.terms(), start, serviceClass));
        assertThat(after.price().exceeds(reservation.price())).isFalse();
        assertThat(start).isGreaterThanOrEqualTo(now + cluster.policy().notice());
    }

    private OptionalLong chosen(Reservation reservation) {
        var terms = reservation.terms();
        long earliest =
                Math.max(terms.window().readyTime(), now + cluster.policy().notice());
        return earliest > terms.latestStart()
                ? OptionalLong.empty()
                : room().choose(earliest, terms.latestStart(), terms.runTime(), terms.pes(), cluster.pes(), now);
    }

    /** Whether a reservation finds what it has beside those that are placed. */
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
        var room = new PlainRoom(cluster, end);
        outages.forEach(room::take);
        for (var reservation : placed) {
            if (reservation.state().isLive()) {
                room.take(
                        reservation.slot(),
                        reservation.terms().pes(),
                        reservation.placement().peIds());
            }
        }
        return room;
    }
}
