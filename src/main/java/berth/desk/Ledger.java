package berth.desk;

import berth.batch.BatchJob;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.scheduling.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where promises become durable. What {@link #append} has answered with {@link Outcome.Committed} survives any crash.
 *
 * <p>Each cluster has a sequence, the number of its last recorded event, a writer, and an epoch, which is raised whenever
 * a writer takes the cluster over or settles a doubt. A batch of an older epoch is never recorded.
 */
public interface Ledger {

    /** All clusters, oldest first. */
    List<Cluster> clusters();

    /**
     * Records a new cluster, with the caller as its writer, and with it the key that asked for it.
     *
     * @return whether it is new: {@code false} if a cluster of that id exists, which is left as it is
     */
    boolean create(Cluster cluster, Optional<KeyUse> key);

    /** Makes the caller the cluster's only writer and answers where the cluster stands. */
    Recovered takeOver(ClusterId cluster);

    /**
     * Records a batch, whole or not at all: its events, what they concern as it is after them, its keys, and the
     * sequence moved on. Refused if the cluster stands at another sequence or epoch than the batch says.
     */
    Outcome append(Batch batch);

    /**
     * Adds to the number of requests that were refused, for the statistics. Nothing is promised by it: a crash may lose
     * what was not recorded yet.
     *
     * @param refusals of one cluster, by when and why
     */
    void countRefusals(ClusterId cluster, Map<Refusals, Long> refusals);

    /** Refused requests that are counted together: those of one hour, for one reason. */
    record Refusals(long hour, RefusalCode code) {}

    /**
     * Finds out where the cluster stands after an {@link Outcome.Unknown}: waits until nothing is in doubt any more and
     * raises the epoch, so that what is still under way can no longer be recorded. Can be repeated until it answers.
     *
     * @throws StorageUnavailable if the database cannot be asked; nothing is known then
     */
    Standing settle(ClusterId cluster);

    /**
     * What is recorded of a cluster.
     *
     * @param epoch the new writer's
     * @param sequence of the last recorded event, 0 if there is none
     * @param lastEventAt when that was, seconds since the epoch; 0 if there is none
     * @param live the reservations that make up its schedule
     * @param outages that are not over
     * @param jobs the batch jobs that run or wait
     * @param requests that are still to be decided
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
     * Sees to it that no other process had taken over by now.
     *
     * @throws StorageUnavailable if one has, or if that cannot be told
     */
    void requireWriter();

    /**
     * What is to be recorded in one transaction.
     *
     * @param epoch the writer's
     * @param sequence of the last event before these
     * @param events at least one, in order
     * @param keys with which some of them were asked for
     */
    record Batch(ClusterId cluster, long epoch, long sequence, List<Event> events, List<RecordedKey> keys) {

        /** The sequence of the last of its events. */
        public long lastSequence() {
            return sequence + events.size();
        }
    }

    /** A key, and the sequence of the event that is the result to repeat. */
    record RecordedKey(KeyUse use, long sequence) {}

    /** What became of a batch. */
    sealed interface Outcome {
        /** It is durable. */
        record Committed() implements Outcome {}

        /** Nothing of it is recorded, or ever will be. */
        record Failed(Exception cause) implements Outcome {}

        /** The answer to the commit was lost. */
        record Unknown(Exception cause) implements Outcome {}

        /** The cluster has moved on without this writer; nothing is recorded. */
        record Fenced() implements Outcome {}
    }

    /** Where a cluster stands for a writer in doubt. */
    sealed interface Standing {
        /** The caller is still the writer, under a new epoch. */
        record Writer(long epoch, long sequence) implements Standing {}

        /** Another writer has taken over. */
        record Fenced() implements Standing {}
    }
}
