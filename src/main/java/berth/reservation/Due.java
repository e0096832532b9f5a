package berth.reservation;

import java.util.Comparator;

/**
 * What the clock will do to a reservation next. The order is that of execution: by time, and of what falls due at one
 * instant, ends and expiring holds before starts, so that what is given back can be taken.
 *
 * @param at seconds since the epoch
 * @param becomes the state it leads to
 * @param reservation whom it concerns
 */
public record Due(long at, ReservationState becomes, ReservationId reservation) implements Comparable<Due> {

    private static final Comparator<Due> ORDER = Comparator.comparingLong(Due::at)
            .thenComparing(due -> due.becomes() == ReservationState.RUNNING)
            .thenComparing(due -> due.reservation().value());

    @Override
    public int compareTo(Due other) {
        return ORDER.compare(this, other);
    }
}
