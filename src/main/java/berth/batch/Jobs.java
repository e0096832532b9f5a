package berth.batch;

import java.util.Collection;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/** The live batch jobs of a cluster, running and waiting, by rank. Immutable; lookups and changes take O(log n). */
public final class Jobs {

    public static final Jobs NONE = new Jobs(HashTreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    /** The most live jobs of a cluster. */
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

    /** Returns all jobs, in no particular order. */
    public Collection<BatchJob> all() {
        return byId.values();
    }

    /** Returns the waiting jobs in the order of the queue. */
    public Collection<BatchJob> waiting() {
        return waiting.values();
    }

    /** Returns the running jobs, lowest rank first. */
    public Collection<BatchJob> running() {
        return running.values();
    }

    /** Returns the first waiting job. */
    public Optional<BatchJob> head() {
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(waiting.firstEntry().getValue());
    }

    /** Returns the system that runs the present jobs; Berth if there are none. */
    public JobSource source() {
        return byId.isEmpty()
                ? JobSource.BERTH
                : byId.values().iterator().next().source();
    }

    /** Returns a rank after all others. */
    public long nextRank() {
        long last = waiting.isEmpty() ? 0 : waiting.lastKey();
        return Math.max(last, running.isEmpty() ? 0 : running.lastKey()) + 1;
    }

    /** Returns the jobs with a new or changed job; a job that has ended is removed. */
    public Jobs with(BatchJob job) {
        var rest = find(job.id()).map(this::without).orElse(this);
        return switch (job.state()) {
            case QUEUED -> new Jobs(rest.byId.plus(job.id(), job), rest.waiting.plus(job.rank(), job), rest.running);
            case RUNNING -> new Jobs(rest.byId.plus(job.id(), job), rest.waiting, rest.running.plus(job.rank(), job));
            case COMPLETED, CANCELLED -> rest;
        };
    }

    /** Returns the jobs without a job, which must be present. */
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
