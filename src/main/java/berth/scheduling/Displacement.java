package berth.scheduling;

import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.ServiceClass;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * What becomes of the reservations when PEs go out of service. As many as the remaining PEs can hold stay where they are:
 * first those that cannot be moved, among these and among the others PREMIUM before STANDARD, and the most urgent before
 * those that can wait. Of the rest, whoever can be moved is placed anew inside its window, in the same order, at the first
 * fit that keeps the cluster's notice; for whom there is no place left, the promise is broken, and credited.
 *
 * <p>Only reservations that overlap the loss are touched.
 */
final class Displacement {

    private static final Comparator<Reservation> PREMIUM_FIRST =
            Comparator.comparing(reservation -> reservation.origin().serviceClass() != ServiceClass.PREMIUM);
    private static final Comparator<Reservation> MOST_URGENT_FIRST = PREMIUM_FIRST
            .thenComparing(reservation -> reservation.state() != ReservationState.RUNNING)
            .thenComparing(reservation -> reservation.terms().latestStart())
            .thenComparing(reservation -> reservation.id().value());

    private final Slot lost;
    private final long now;
    private final List<ReservationEvent> events = new ArrayList<>();
    private ClusterSchedule schedule;

    private Displacement(ClusterSchedule schedule, Slot lost, long now) {
        this.schedule = schedule;
        this.lost = lost;
        this.now = now;
    }

    /**
     * What comes of a loss.
     *
     * @param loss takes PEs out of service throughout {@code lost}; as many as are in service at the most
     */
    static Displacement of(ClusterSchedule schedule, Event loss, Slot lost, long now) {
        var displacement = new Displacement(schedule, lost, now);
        displacement.run(loss);
        return displacement;
    }

    /** The moves and failures, in order. */
    List<Event> events() {
        return List.copyOf(events);
    }

    /** Who was moved, or has failed. */
    List<ReservationId> reservations(Event.Type what) {
        return events.stream()
                .filter(event -> event.type() == what)
                .map(event -> event.reservation().id())
                .toList();
    }

    private void run(Event loss) {
        var touched = schedule.reservations().stream()
                .filter(reservation -> reservation.slot().overlaps(lost))
                .sorted(Comparator.<Reservation, Boolean>comparing(reservation -> reservation.isMovable(now))
                        .thenComparing(MOST_URGENT_FIRST))
                .toList();
        for (var reservation : touched) {
            schedule = schedule.without(reservation.id());
        }
        schedule = schedule.with(loss);
        var displaced = new ArrayList<Reservation>();
        for (var reservation : touched) {
            // what lies in the past of a run is free, too: all that was taken with it then is taken still
            if (schedule.profile().fewestFree(reservation.slot())
                    >= reservation.terms().pes()) {
                schedule = schedule.adding(reservation);
            } else {
                displaced.add(reservation);
            }
        }
        displaced.sort(MOST_URGENT_FIRST);
        displaced.forEach(this::replace);
    }

    private void replace(Reservation reservation) {
        var start = reservation.isMovable(now) ? place(reservation) : OptionalLong.empty();
        var event = start.isPresent() ? moved(reservation, start.getAsLong()) : failed(reservation);
        events.add(event);
        if (start.isPresent()) {
            schedule = schedule.adding(event.reservation());
        }
    }

    /** Promises come before the share of PEs that is not to be reserved. */
    private OptionalLong place(Reservation reservation) {
        var terms = reservation.terms();
        long earliest = Math.max(
                terms.window().readyTime(), now + schedule.cluster().policy().notice());
        return earliest > terms.latestStart()
                ? OptionalLong.empty()
                : schedule.profile()
                        .earliestFit(new Window(earliest, terms.window().deadline()), terms.runTime(), terms.pes());
    }

    private ReservationEvent moved(Reservation reservation, long start) {
        var cluster = schedule.cluster();
        var terms = reservation.terms();
        var price = cluster.tariff()
                .moved(reservation.price(), terms, start, reservation.origin().serviceClass());
        long fixesAt = terms.fixing().fixesAt(now, start, cluster.policy().notice());
        var to = new Placement(Slot.of(start, terms.runTime()), fixesAt);
        return ReservationEvent.of(Event.Type.MOVED, reservation.moved(to, price, now));
    }

    private ReservationEvent failed(Reservation reservation) {
        var credit = schedule.cluster()
                .tariff()
                .credit(reservation.price(), reservation.origin().serviceClass());
        return ReservationEvent.of(Event.Type.FAILED, reservation.failed(credit, now));
    }
}
