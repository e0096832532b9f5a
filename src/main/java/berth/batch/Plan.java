package berth.batch;

import berth.batch.Impact.Figures;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The planned starts of all waiting jobs, assuming that every job runs as long as estimated and that no new work arrives. Immutable.
 *
 * <p>A job that finds no place while the known outages last has no planned start and no end. A reservation can cause that by pushing the
 * job beyond the time at which its PEs go out of service. The figures therefore state how many jobs end.
 */
public final class Plan {

    private final long[] starts;

    /** The end of the last job; meaningless if no job ends. */
    private final long lastEnd;

    /** The sum of the times from submission to end, over all jobs that end. */
    private final long completion;

    /** The number of jobs that end, including running ones. */
    private final int jobs;

    Plan(long[] starts, long lastEnd, long completion, int jobs) {
        this.starts = starts;
        this.lastEnd = lastEnd;
        this.completion = completion;
        this.jobs = jobs;
    }

    /** Returns the number of waiting jobs. */
    public int size() {
        return starts.length;
    }

    /**
     * Returns the planned start of the waiting job at {@code index}, in seconds since the epoch; empty if it is not foreseeable. The first
     * job has index 0.
     */
    public OptionalLong start(int index) {
        return starts[index] == FreePesAhead.NEVER ? OptionalLong.empty() : OptionalLong.of(starts[index]);
    }

    /**
     * Returns how many jobs have a later start than in another plan, or no start any more.
     *
     * @param before a plan of the same jobs; this plan may have more jobs at its end
     */
    public int delayed(Plan before) {
        return (int) IntStream.range(0, before.size())
                .filter(job -> starts[job] > before.starts[job])
                .count();
    }

    /** Returns the end of the last job that ends; {@link Long#MIN_VALUE} if none does. */
    long end() {
        return jobs == 0 ? Long.MIN_VALUE : lastEnd;
    }

    /** Returns the earliest of all starts; {@link Long#MAX_VALUE} if there is none. */
    long earliest() {
        return Arrays.stream(starts).min().orElse(FreePesAhead.NEVER);
    }

    /** Returns the figures, including running jobs (paper 001, equations 2 and 3). The makespan counts from {@code now}. */
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
