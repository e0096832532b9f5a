package berth.time;

/**
 * The interval {@code [readyTime, deadline)} that must contain a run, in whole seconds since the epoch (T^r and D of paper 000, section
 * 2.2).
 *
 * @param readyTime the earliest start
 * @param deadline the latest finish, later than {@code readyTime}
 */
public record Window(long readyTime, long deadline) {

    /** @throws IllegalArgumentException if {@code deadline} is not after {@code readyTime} */
    public Window {
        if (deadline <= readyTime) {
            throw new IllegalArgumentException(
                    "The deadline (%d) of a window must lie after its ready time (%d).".formatted(deadline, readyTime));
        }
    }

    /** Returns the length in seconds, at least 1. */
    public long length() {
        return deadline - readyTime;
    }

    /** Whether a run of {@code duration} seconds fits, for any duration from 0. The result is right even if the length overflows. */
    public boolean isLongEnoughFor(long duration) {
        return Long.compareUnsigned(length(), duration) >= 0;
    }

    /** Returns the latest start of a run of {@code duration} seconds. The result is before {@code readyTime} if the run is too long. */
    public long latestStart(long duration) {
        return deadline - duration;
    }

    /** Whether the window contains the whole slot. */
    public boolean contains(Slot slot) {
        return readyTime <= slot.start() && slot.end() <= deadline;
    }
}
