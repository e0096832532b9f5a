package berth.batch;

import berth.batch.Impact.Figures;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * When each waiting job of a queue is to start, if all run as long as estimated and nothing else comes. A value.
 *
 * <p>A job that finds no place as long as the known outages last has no planned start and comes to no end. That may be a
 * reservation's doing, which pushes the job past the moment from which on its PEs are missing: the figures say how many jobs end.
 */
public final class Plan {

    private final long[] starts;

    /** When the last job ends; of no meaning if none does. */
    private final long lastEnd;

    /** The time of all jobs that end from their submission to their end. */
    private final long completion;

    /** The jobs that end, with those that run. */
    private final int jobs;

    Plan(long[] starts, long lastEnd, long completion, int jobs) {
        this.starts = starts;
        this.lastEnd = lastEnd;
        this.completion = completion;
        this.jobs = jobs;
    }

    /** How many jobs wait. */
    public int size() {
        return starts.length;
    }

    /** When the waiting job starts that has this index in the queue, 0 being the first, in seconds since the epoch; empty: not foreseeable. */
    public OptionalLong start(int index) {
        return starts[index] == FreePesAhead.NEVER ? OptionalLong.empty() : OptionalLong.of(starts[index]);
    }

    /** When the last of those that end does; {@link Long#MIN_VALUE} if none does. */
    long end() {
        return jobs == 0 ? Long.MIN_VALUE : lastEnd;
    }

    /** The earliest of all starts; {@link Long#MAX_VALUE} if there is none. */
    long earliest() {
        return Arrays.stream(starts).min().orElse(FreePesAhead.NEVER);
    }

    /** How the jobs get on, the running ones included: paper 001, equations 2 and 3, times from {@code now} so that a makespan means something. */
    public Figures figures(long now) {
        return jobs == 0 ? new Figures(0, 0, 0) : new Figures(jobs, lastEnd - now, (double) completion / jobs);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Plan that
                && Arrays.equals(starts, that.starts)
                && lastEnd == that.lastEnd
                && completion == that.completion
                && jobs == that.jobs;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(starts);
    }

    @Override
    public String toString() {
        return Arrays.toString(starts);
    }
}
