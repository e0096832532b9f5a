package berth.time;

/**
 * The time a run must lie in, {@code [readyTime, deadline)}, in whole seconds since the epoch: it starts at
 * {@code readyTime} at the earliest and has ended by {@code deadline} (T^r and D of paper 000, section 2.2).
 *
 * @param readyTime earliest start
 * @param deadline latest finish, later than {@code readyTime}
 */
public record Window(long readyTime, long deadline) {

    /** @throws IllegalArgumentException if {@code deadline} is not after {@code readyTime} */
    public Window {
        if (deadline <= readyTime) {
            throw new IllegalArgumentException(
                    "The deadline (%d) of a window must lie after its ready time (%d).".formatted(deadline, readyTime));
        }
    }

    /** Its length in seconds, at least 1. */
    public long length() {
        return deadline - readyTime;
    }

    /** Whether it is long enough for a run of {@code duration} seconds, at least 0; also where its length overflows. */
    public boolean isLongEnoughFor(long duration) {
        return Long.compareUnsigned(length(), duration) >= 0;
    }

    /** The latest start of a run of {@code duration} seconds; before {@code readyTime} if the run is too long. */
    public long latestStart(long duration) {
        return deadline - duration;
    }

    /** Whether the whole of {@code slot} lies in the window. */
    public boolean contains(Slot slot) {
        return readyTime <= slot.start() && slot.end() <= deadline;
    }
}
