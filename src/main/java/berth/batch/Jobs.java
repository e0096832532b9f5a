package berth.batch;

import java.util.Collection;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/** The live batch jobs of a cluster: those that run, and those that wait, by rank. A persistent value; lookups and changes take O(log n). */
public final class Jobs {

    public static final Jobs NONE = new Jobs(HashTreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    /** The most jobs that a cluster keeps at one time. */
    public static final int MAX = 10_000;

    private final PMap<JobId, BatchJob> byId;
    private final TreePMap<Long, BatchJob> waiting;
    private final TreePMap<Long, BatchJob> running;

    private Jobs(PMap<JobId, BatchJob> byId, TreePMap<Long, BatchJob> waiting, TreePMap<Long, BatchJob> running) {
        this.byId = byId;
        this.waiting = waiting;
        this.running = running;
    }

    public boolean isEmpty() {
        return byId.isEmpty();
    }

    public int size() {
        return byId.size();
    }

    public Optional<BatchJob> find(JobId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** All of them, in no particular order. */
    public Collection<BatchJob> all() {
        return byId.values();
    }

    /** The jobs that wait, the first of the queue first. */
    public Collection<BatchJob> waiting() {
        return waiting.values();
    }

    /** The jobs that run, those of the lowest rank first. */
    public Collection<BatchJob> running() {
        return running.values();
    }

    /** The first of the queue. */
    public Optional<BatchJob> head() {
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(waiting.firstEntry().getValue());
    }

    /** Who runs the jobs that there are. */
    public JobSource source() {
        return byId.isEmpty()
                ? JobSource.BERTH
                : byId.values().iterator().next().source();
    }

    /** A rank behind all others. */
    public long nextRank() {
        long last = waiting.isEmpty() ? 0 : waiting.lastKey();
        return Math.max(last, running.isEmpty() ? 0 : running.lastKey()) + 1;
    }

    /** With a job as it is now: another, a changed one, or without one that has ended. */
    public Jobs with(BatchJob job) {
        var rest = find(job.id()).map(this::without).orElse(this);
        return switch (job.state()) {
            case QUEUED -> new Jobs(rest.byId.plus(job.id(), job), rest.waiting.plus(job.rank(), job), rest.running);
            case RUNNING -> new Jobs(rest.byId.plus(job.id(), job), rest.waiting, rest.running.plus(job.rank(), job));
            case COMPLETED, CANCELLED -> rest;
        };
    }

    /** Without a job, which must be there. */
    public Jobs without(BatchJob job) {
        return new Jobs(byId.minus(job.id()), waiting.minus(job.rank()), running.minus(job.rank()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Jobs that && byId.equals(that.byId);
    }

    @Override
    public int hashCode() {
        return byId.hashCode();
    }

    @Override
    public String toString() {
        return byId.values().toString();
    }
}
