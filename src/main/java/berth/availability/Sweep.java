package berth.availability;

import java.util.Arrays;

/**
 * One pass over a profile in search of starts. It is shown points, or whole subtrees that are uniform for its purpose,
 * from the value at the ready time onwards, and carries the present run of seconds with PEs enough.
 */
final class Sweep {

    private final long readyTime;
    private final long latestStart;
    private final long duration;
    private final int pes;
    private final int limit;

    private long[] starts;
    private int found;

    private boolean enough;
    /** Whether {@link #candidate}, where the present run began, may still turn out to be a start. */
    private boolean pending;

    private long candidate;

    /**
     * A search for starts in {@code [readyTime, latestStart]}, at most {@code limit}, at least 1.
     *
     * @param latestStart a run of {@code duration} from here ends within the range of {@code long}
     */
    Sweep(long readyTime, long latestStart, long duration, int pes, int limit) {
        this.readyTime = readyTime;
        this.latestStart = latestStart;
        this.duration = duration;
        this.pes = pes;
        this.limit = limit;
        this.starts = new long[Math.min(limit, 16)];
    }

    long readyTime() {
        return readyTime;
    }

    int pes() {
        return pes;
    }

    /**
     * From {@code second} on there are PEs enough, or not, until the next call says otherwise.
     *
     * @return false once nothing more can be found
     */
    boolean next(long second, boolean nowEnough) {
        if (pending && second >= candidate + duration) {
            pending = false;
            keep(candidate);
            if (found == limit) {
                return false;
            }
        }
        if (!nowEnough) {
            pending = false;
        } else if (!enough) {
            candidate = Math.max(second, readyTime);
            pending = candidate <= latestStart;
        }
        enough = nowEnough;
        return pending || second < latestStart;
    }

    private void keep(long start) {
        if (found == starts.length) {
            starts = Arrays.copyOf(starts, (int) Math.min(limit, 2L * found));
        }
        starts[found++] = start;
    }

    /** What was found, ascending; a run that no point ended goes on for ever. To be called once, after the pass. */
    long[] starts() {
        if (pending) {
            pending = false;
            keep(candidate);
        }
        return Arrays.copyOf(starts, found);
    }
}
