package berth.reservation;

import berth.time.Slot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often and from where the provider has moved a reservation.
 *
 * @param count how often it was moved for others or because its PEs were lost; moves for its own sake do not count: forward, or into cheaper hours
 * @param agreed its slot when its terms were last agreed; empty if it was not moved since
 */
public record MoveHistory(int count, Optional<Slot> agreed) {

    /** Never moved. */
    public static final MoveHistory NONE = new MoveHistory(0, Optional.empty());

    static MoveHistory orNone(@Nullable MoveHistory moves) {
        return moves == null ? NONE : moves;
    }

    /** Returns the history after a move from that slot. */
    MoveHistory moved(Slot from) {
        return new MoveHistory(count + 1, agreed.or(() -> Optional.of(from)));
    }

    /** Returns the history after a move from that slot for the reservation's own sake. */
    MoveHistory movedForItself(Slot from) {
        return new MoveHistory(count, agreed.or(() -> Optional.of(from)));
    }

    /** Returns the history after other terms were agreed; the reservation is where it is agreed. */
    MoveHistory agreedAnew() {
        return new MoveHistory(count, Optional.empty());
    }
}
