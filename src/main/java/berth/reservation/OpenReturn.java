package berth.reservation;

import berth.availability.PeSet;
import berth.sla.Part;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PE-time that an owner returned and of whose price a rest may still be credited, once others have booked the time and are charged for it.
 *
 * @param since when the time was returned, in seconds since the epoch; only later bookings count
 * @param rest what may still be credited at most
 * @param parts the returned time, at least one part, all with the numbers of their PEs
 * @param by the reservation that has had this time and is not charged yet; empty while the time, or some of it, is to come
 */
public record OpenReturn(long since, Quantity rest, List<Part> parts, Optional<ReservationId> by) {

    private static final int MAX_PARTS = 64;

    public OpenReturn {
        parts = List.copyOf(parts);
    }

    /** Returns the open return of some returned time; empty if no rest is left or its PEs have no numbers. */
    public static Optional<OpenReturn> of(long since, Quantity rest, List<Part> returned) {
        var all = work(returned);
        var numbered =
                returned.stream().filter(part -> part.peIds().isPresent()).toList();
        return all == 0
                ? Optional.empty()
                : open(since, rest.shareDown(work(numbered), all), numbered, Optional.empty());
    }

    private static Optional<OpenReturn> open(long since, Quantity rest, List<Part> parts, Optional<ReservationId> by) {
        if (parts.size() > MAX_PARTS) {
            var some = parts.subList(parts.size() - MAX_PARTS, parts.size());
            return open(since, rest.shareDown(work(some), work(parts)), some, by);
        }
        return rest.isNothing() || parts.isEmpty()
                ? Optional.empty()
                : Optional.of(new OpenReturn(since, rest, parts, by));
    }

    /** Returns the end of the returned time, in seconds since the epoch. */
    public long until() {
        return parts.stream().mapToLong(part -> part.slot().end()).max().orElseThrow();
    }

    /** Returns the returned time that is also in {@code occupied}, of which only parts with numbered PEs count. */
    public List<Part> and(List<Part> occupied) {
        var both = new ArrayList<Part>();
        for (var part : parts) {
            for (var other : occupied) {
                if (other.slot().overlaps(part.slot())) {
                    var pes = pes(part).and(pes(other));
                    add(other.slot().and(part.slot()), pes, both);
                }
            }
        }
        return both;
    }

    /** Returns the share of the rest that belongs to some of the returned time. */
    public Quantity restOf(List<Part> some) {
        return rest.shareDown(work(some), work(parts));
    }

    /** Returns the return without some of its time and the share of the rest that belongs to it; empty if none is left. */
    public Optional<OpenReturn> without(List<Part> some) {
        return open(since, rest.less(restOf(some)), minus(parts, some), by);
    }

    /** Returns the return with only the time that a reservation has had and is not charged for yet. */
    public Optional<OpenReturn> hadBy(ReservationId reservation, List<Part> some) {
        return open(since, restOf(some), some, Optional.of(reservation));
    }

    /** Returns time on numbered PEs without some of it. */
    public static List<Part> minus(List<Part> parts, List<Part> some) {
        var left = parts;
        for (var less : some) {
            var next = new ArrayList<Part>();
            for (var part : left) {
                if (!part.slot().overlaps(less.slot()) || !pes(part).intersects(pes(less))) {
                    next.add(part);
                    continue;
                }
                var both = part.slot().and(less.slot());
                if (part.slot().start() < both.start()) {
                    next.add(part.until(both.start()));
                }
                add(both, pes(part).minus(pes(less)), next);
                if (both.end() < part.slot().end()) {
                    next.add(part.during(new Slot(both.end(), part.slot().end())));
                }
            }
            left = next;
        }
        return left;
    }

    /** Returns the PE-seconds of these parts. */
    public static long work(List<Part> parts) {
        return parts.stream().mapToLong(Part::work).sum();
    }

    private static void add(Slot slot, PeSet pes, List<Part> to) {
        if (!pes.isEmpty()) {
            to.add(Part.whole(slot, pes.size()).on(pes));
        }
    }

    private static PeSet pes(Part part) {
        return part.peIds().orElse(PeSet.NONE);
    }
}
