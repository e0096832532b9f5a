package berth.engine;

import berth.batch.BatchJob;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.runtime.StorageUnavailable;
import berth.scheduling.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes promises durable. A batch for which {@link #append} returned {@link Outcome.Committed} survives any crash.
 *
 * <p>Each cluster has a sequence (the number of its last recorded event), a writer, and an epoch. The epoch rises whenever a writer takes
 * over the cluster or resolves a doubt. A batch with an older epoch is never recorded.
 */
public interface Ledger {

    /** Returns all clusters, oldest first. */
    List<Cluster> clusters();

    /**
     * Records a new cluster with the caller as its writer, together with the key of the request.
     *
     * @return {@code false} if a cluster with that id exists; it is left unchanged
     */
    boolean create(Cluster cluster, Optional<KeyUse> key);

    /** Makes the caller the only writer of the cluster and returns what is recorded of it. */
    Recovered takeOver(ClusterId cluster);

    /**
     * Records a batch entirely or not at all: its events, the resulting states, its keys and the new sequence. It is refused unless the
     * cluster has the batch's sequence and epoch.
     */
    Outcome append(Batch batch);

    /**
     * Adds to the statistics of refused requests. A crash may lose counts that were not recorded yet.
     *
     * @param refusals the counts of one cluster
     */
    void countRefusals(ClusterId cluster, Map<Refusals, Long> refusals);

    /**
     * The key of a count: refusals of one hour for one reason.
     *
     * @param hour the beginning of the hour, in seconds since the epoch
     */
    record Refusals(long hour, RefusalCode code) {}

    /**
     * Finds out the state of a cluster after {@link Outcome.Unknown}. It waits until nothing is in doubt and raises the epoch, so that
     * writes in progress can no longer be recorded. May be repeated until it returns.
     *
     * @throws StorageUnavailable if the database does not answer; nothing is known then
     */
    Standing resolve(ClusterId cluster);

    /**
     * The recorded state of a cluster.
     *
     * @param epoch the epoch of the new writer
     * @param sequence the sequence of the last event, 0 if there is none
     * @param lastEventAt the time of the last event, in seconds since the epoch; 0 if there is none
     * @param live the live reservations
     * @param outages the outages that are not over
     * @param jobs the running and waiting batch jobs
     * @param requests the requests that await a decision
     */
    record Recovered(
            Cluster cluster,
            long epoch,
            long sequence,
            long lastEventAt,
            List<Reservation> live,
            List<Outage> outages,
            List<BatchJob> jobs,
            List<IntakeRequest> requests) {}

    /**
     * Checks that no other process has taken over.
     *
     * @throws StorageUnavailable if one has, or if that is not known
     */
    void requireWriter();

    /**
     * The events that one transaction records.
     *
     * @param epoch the writer's epoch
     * @param sequence the sequence before these events
     * @param events the events in order, at least one
     * @param keys the keys of the commands that caused them
     */
    record Batch(ClusterId cluster, long epoch, long sequence, List<Event> events, List<RecordedKey> keys) {

        /** Returns the sequence of the last event. */
        public long lastSequence() {
            return sequence + events.size();
        }
    }

    /** A key and the sequence of the event that is its result. */
    record RecordedKey(KeyUse use, long sequence) {}

    /** The result of recording a batch. */
    sealed interface Outcome {
        /** It is durable. */
        record Committed() implements Outcome {}

        /** It is not recorded and never will be. */
        record Failed(Exception cause) implements Outcome {}

        /** The answer to the commit was lost. */
        record Unknown(Exception cause) implements Outcome {}

        /** The cluster has another writer; nothing is recorded. */
        record Fenced() implements Outcome {}
    }

    /** The state of a cluster for a writer in doubt. */
    sealed interface Standing {
        /** The caller is still the writer, with a new epoch. */
        record Writer(long epoch, long sequence) implements Standing {}

        /** Another writer has taken over. */
        record Fenced() implements Standing {}
    }
}
