package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.ServiceClass;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * What must hold of a decision by which PEs are lost, checked second by second: who lost its PEs had to give way to those
 * that stay and come before it; whoever could be moved got the first place that was left when its turn came, or there was
 * none; nobody else was touched.
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
    private final Slot lost;
    private final long now;

    private DisplacementRules(Cluster cluster, List<Outage> outages, Slot lost, long now) {
        this.cluster = cluster;
        this.outages = outages;
        this.lost = lost;
        this.now = now;
    }

    /**
     * Checks the events of a loss.
     *
     * @param lost when the PEs are lost
     */
    static void check(ClusterSchedule before, List<Event> events, Slot lost, long now) {
        var outages = new ArrayList<>(before.outages());
        var cluster = before.cluster();
        switch (events.getLast()) {
            case ClusterEvent(var changed, var _) -> cluster = changed;
            case OutageEvent(var _, var outage, var _) -> outages.add(outage);
            case ReservationEvent event -> throw new AssertionError("Nothing was lost by " + event);
        }
        var displaced = new LinkedHashMap<ReservationId, ReservationEvent>();
        for (var event : events.subList(0, events.size() - 1)) {
            var about = (ReservationEvent) event;
            assertThat(displaced.put(about.reservation().id(), about)).isNull();
        }
        new DisplacementRules(cluster, outages, lost, now).check(before.reservations(), displaced);
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

    private void check(Collection<Reservation> before, Map<ReservationId, ReservationEvent> displaced) {
        var touched = new ArrayList<Reservation>();
        for (var reservation : before) {
            (reservation.slot().overlaps(lost) ? touched : placed).add(reservation);
        }
        assertThat(touched).extracting(Reservation::id).containsAll(displaced.keySet());
        touched.sort(Comparator.<Reservation>comparingInt(reservation -> reservation.isMovable(now) ? 2 : 1)
                .thenComparing(TURN));
        var homeless = new ArrayList<Reservation>();
        for (var reservation : touched) {
            boolean stays = !displaced.containsKey(reservation.id());
            assertThat(hasRoom(reservation, reservation.slot().start()))
                    .as("%s stays", reservation)
                    .isEqualTo(stays);
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
        var place = reservation.isMovable(now) ? firstPlace(reservation) : OptionalLong.empty();
        if (place.isEmpty()) {
            assertThat(event.type()).isEqualTo(Event.Type.FAILED);
            assertThat(after).isEqualTo(reservation.failed(tariff.credit(reservation.price(), serviceClass), now));
            return;
        }
        long start = place.getAsLong();
        assertThat(event.type()).isEqualTo(Event.Type.MOVED);
        assertThat(after.slot()).isEqualTo(Slot.of(start, reservation.terms().runTime()));
        assertThat(after.terms()).isEqualTo(reservation.terms());
        assertThat(after.origin()).isEqualTo(reservation.origin());
        assertThat(after.placement().fixesAt())
                .isEqualTo(reservation
                        .terms()
                        .fixing()
                        .fixesAt(now, start, cluster.policy().notice()));
        assertThat(after.price())
                .isEqualTo(tariff.moved(reservation.price(), reservation.terms(), start, serviceClass));
        assertThat(after.price().exceeds(reservation.price())).isFalse();
        assertThat(start).isGreaterThanOrEqualTo(now + cluster.policy().notice());
    }

    private OptionalLong firstPlace(Reservation reservation) {
        var terms = reservation.terms();
        return LongStream.rangeClosed(
                        Math.max(
                                terms.window().readyTime(),
                                now + cluster.policy().notice()),
                        terms.latestStart())
                .filter(start -> hasRoom(reservation, start))
                .findFirst();
    }

    /** Whether there are enough PEs for a run beside those that are placed. */
    private boolean hasRoom(Reservation reservation, long start) {
        return LongStream.range(start, start + reservation.terms().runTime())
                .allMatch(second -> free(second) >= reservation.terms().pes());
    }

    private int free(long second) {
        int free = cluster.pes();
        for (var outage : outages) {
            free -= outage.slot().contains(second) ? outage.pes() : 0;
        }
        for (var reservation : placed) {
            boolean takes = reservation.state().isLive() && reservation.slot().contains(second);
            free -= takes ? reservation.terms().pes() : 0;
        }
        return free;
    }
}
