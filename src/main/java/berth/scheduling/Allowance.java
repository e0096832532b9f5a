package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.sla.Violation;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How much more an account may book.
 *
 * @param limits on all that it has booked, over all clusters
 * @param elsewhere its live reservations on other clusters
 * @param mirrored where its reservations at other Berths lie, each as one part
 */
public record Allowance(AccountLimits limits, List<Reservation> elsewhere, List<Part> mirrored) {

    /** As much as there is. */
    public static final Allowance UNLIMITED = new Allowance(AccountLimits.NONE, List.of());

    /** Of an account that has nothing at other Berths. */
    public Allowance(AccountLimits limits, List<Reservation> elsewhere) {
        this(limits, elsewhere, List.of());
    }

    /** The limit that a run at another Berth would exceed, where all that lies here is {@code elsewhere}. */
    public Optional<Violation> exceeded(Part there, long now) {
        return exceeded(elsewhere, true, List.of(there), now);
    }

    /**
     * The limit that a reservation would exceed.
     *
     * @param schedule of the cluster it would be on
     * @param id its own, if it is there already
     * @param parts where it would lie
     */
    Optional<Violation> exceeded(
            ClusterSchedule schedule, ReservationId id, AccountName owner, List<Part> parts, long now) {
        if (limits.equals(AccountLimits.NONE)) {
            return Optional.empty();
        }
        var booked = Stream.concat(elsewhere.stream(), schedule.reservationsOf(owner).stream())
                .filter(reservation -> !reservation.id().equals(id))
                .toList();
        return exceeded(booked, schedule.find(id).isEmpty(), parts, now);
    }

    private Optional<Violation> exceeded(List<Reservation> booked, boolean isNew, List<Part> parts, long now) {
        int live = booked.size() + mirrored.size();
        if (isNew && live >= limits.activeReservations().orElse(Integer.MAX_VALUE)) {
            return violated("activeReservations", live + " are live; end one, or ask for a higher limit");
        }
        var taken = Stream.concat(
                        mirrored.stream(), booked.stream().flatMap(reservation -> reservation.parts().stream()))
                .toList();
        long most = parts.stream()
                .mapToLong(part -> mostAtOneTime(taken, part.slot()) + part.pes())
                .max()
                .orElseThrow();
        if (most > limits.pes().orElse(Integer.MAX_VALUE)) {
            return violated(
                    "pes", "%d PEs would be taken at one time; choose another time or fewer PEs".formatted(most));
        }
        long seconds = Stream.concat(taken.stream(), parts.stream())
                .mapToLong(part -> ahead(part.slot(), now) * part.pes())
                .sum();
        if (limits.peHours().isPresent() && seconds > limits.peHours().getAsLong() * 3600) {
            return violated("peHours", "%.1f PE-hours would lie ahead; book less".formatted(seconds / 3600.0));
        }
        return Optional.empty();
    }

    private static Optional<Violation> violated(String limit, String message) {
        return Optional.of(new Violation("limits." + limit, message));
    }

    private static long ahead(Slot slot, long now) {
        return Math.max(0, slot.end() - Math.max(slot.start(), now));
    }

    /** O(n log n): the desk has other things to do. */
    private static long mostAtOneTime(List<Part> booked, Slot slot) {
        var changes = new TreeMap<Long, Long>();
        for (var other : booked) {
            if (other.slot().overlaps(slot)) {
                long pes = other.pes();
                changes.merge(Math.max(slot.start(), other.slot().start()), pes, Long::sum);
                changes.merge(other.slot().end(), -pes, Long::sum);
            }
        }
        long taken = 0;
        long most = 0;
        for (long change : changes.values()) {
            taken += change;
            most = Math.max(most, taken);
        }
        return most;
    }
}
