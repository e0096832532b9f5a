package berth.time;

/**
 * A half-open interval {@code [start, end)} in whole seconds since the epoch; never empty.
 *
 * @param start the first second of the slot
 * @param end the first second after the slot, later than {@code start}
 */
public record Slot(long start, long end) {

    /** @throws IllegalArgumentException if {@code end} is not after {@code start} */
    public Slot {
        if (end <= start) {
            throw new IllegalArgumentException(
                    "The end (%d) of a slot must lie after its start (%d).".formatted(end, start));
        }
    }

    /** Returns the slot of {@code duration} seconds that begins at {@code start}. */
    public static Slot of(long start, long duration) {
        return new Slot(start, Math.addExact(start, duration));
    }

    /** Returns the length in seconds, at least 1. */
    public long duration() {
        return end - start;
    }

    /** Whether {@code second} lies in the slot. */
    public boolean contains(long second) {
        return start <= second && second < end;
    }

    /** Whether the two slots share a second. Adjacent slots do not. */
    public boolean overlaps(Slot other) {
        return start < other.end && other.start < end;
    }

    /** Returns the seconds that the two slots share, of which there must be one. */
    public Slot and(Slot other) {
        return new Slot(Math.max(start, other.start), Math.min(end, other.end));
    }
}
