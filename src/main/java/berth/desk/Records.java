package berth.desk;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What is recorded, for reading: committed facts only. Never waits for a writer. */
public interface Records {

    Optional<Reservation> find(ReservationId id);

    /** The reservations that pass the filter, newest first. */
    List<Reservation> list(Filter filter, Optional<ReservationId> olderThan, int limit);

    /**
     * Which reservations are meant; what is empty does not matter.
     *
     * @param from seconds since the epoch: those that end after it
     * @param to seconds since the epoch: those that start before it
     */
    record Filter(
            Optional<AccountName> owner,
            Optional<ClusterId> cluster,
            Optional<ReservationState> state,
            Optional<String> project,
            OptionalLong from,
            OptionalLong to) {}

    /** The first of the reservations that pass the filter, the last to start first. */
    List<Reservation> latest(Filter filter, int limit);

    /** The sequence of the last event on each cluster that concerns what is theirs; where none does, it is not named. */
    Map<ClusterId, Long> lastSequences(Whose whose);

    /** A request that was collected, whatever has become of it. */
    Optional<IntakeRequest> collected(ReservationId id);

    /** The collected requests that pass the filter and have not become reservations, newest first. */
    List<IntakeRequest> collected(RequestFilter filter, Optional<ReservationId> olderThan, int limit);

    /** Which collected requests are meant; what is empty does not matter. */
    record RequestFilter(
            Optional<AccountName> owner,
            Optional<ClusterId> cluster,
            Optional<IntakeRequest.State> state,
            Optional<String> project) {}

    Optional<BatchJob> find(JobId id);

    /** The batch jobs of a cluster that pass the filter, those submitted last first. */
    List<BatchJob> jobs(ClusterId cluster, JobFilter filter, Optional<JobPosition> after, int limit);

    /** Which batch jobs are meant; what is empty does not matter. */
    record JobFilter(Optional<AccountName> owner, Optional<JobState> state) {}

    /** A place in the list of jobs, by its last one; {@code submittedAt} in seconds since the epoch. */
    record JobPosition(long submittedAt, JobId id) {}

    /** The first of the batch jobs of a cluster that have or had PEs in {@code range}, by start. */
    List<BatchJob> running(ClusterId cluster, Slot range, Whose whose, int limit);

    /**
     * Of whom something is told; what is empty does not matter.
     *
     * @param owner the account
     * @param project what reservations are filed under; batch jobs are filed under nothing
     */
    record Whose(Optional<AccountName> owner, Optional<String> project) {

        /** Of everybody. */
        public static final Whose ALL = new Whose(Optional.empty(), Optional.empty());
    }

    /** What happened to a reservation after {@code sequence}, in order, since it was asked for. */
    List<RecordedEvent> events(ReservationId reservation, long sequence, int limit);

    /**
     * What happened after the given position of each cluster; of a cluster that is not named, since its beginning. In order of
     * time, and of each cluster in the order of its sequence.
     *
     * @param whose only what happened to their reservations, since they were asked for; {@link Whose#ALL}: everything
     */
    List<RecordedEvent> events(Map<ClusterId, Long> positions, Whose whose, int limit);

    /**
     * How far the history of each cluster had come before a time: what happens from then on comes after that. Takes some
     * thirty readings for each cluster.
     *
     * @param time seconds since the epoch
     */
    Map<ClusterId, Long> positionsBefore(long time);

    /**
     * What happened on a cluster after {@code sequence}, in order; what is not kept any more is missing.
     *
     * @param whose only what happened to their reservations, since they were asked for; {@link Whose#ALL}: everything
     */
    List<RecordedEvent> events(ClusterId cluster, long sequence, Whose whose, int limit);

    /**
     * Waits until more can be read of what happens, or until patience is over.
     *
     * @param seen what was answered last, 0 at first
     * @return another number, if there is more; for the next call
     */
    long awaitMore(long seen, Duration patience) throws InterruptedException;

    /** The sequence of the last event that is recorded of a cluster; 0 if there is none. */
    long lastSequence(ClusterId cluster);

    /** The terms that were agreed anew for a reservation, and those that the provider offered, newest first. */
    List<Renegotiation> renegotiations(ReservationId reservation, OptionalLong beforeVersion, int limit);

    /** Other terms that the owner wanted and got, or that the provider offered. */
    sealed interface Renegotiation {

        /** The version of the reservation that it led to: its number. */
        int number();

        /**
         * What the owner wanted, and got at once.
         *
         * @param after the reservation as it was after it
         * @param priceBefore what it owed until then
         */
        record Agreement(Reservation after, Money priceBefore) implements Renegotiation {
            @Override
            public int number() {
                return after.status().version();
            }
        }

        /**
         * What the provider offered.
         *
         * @param offered the reservation as it was then, with the proposal
         * @param reply what the owner answered; empty: nothing
         */
        record Offer(Reservation offered, Optional<Reply> reply) implements Renegotiation {
            @Override
            public int number() {
                return offered.status().version();
            }
        }
    }

    /**
     * The owner's answer to a proposal.
     *
     * @param isAccepted whether the terms of the proposal hold
     * @param after the reservation as it was after it
     * @param priceBefore what it owed until then
     */
    record Reply(boolean isAccepted, Reservation after, Money priceBefore) {}

    /**
     * The first of the reservations of a cluster that take, took or will take PEs in {@code range}, by start; also those
     * that have none in it, but before and after it.
     */
    List<Reservation> occupying(ClusterId cluster, Slot range, Whose whose, int limit);

    /**
     * Tells {@code each} what took, takes or will take PEs of a cluster in {@code range}, reservations and batch jobs; in no
     * particular order. Jobs that wait, and ended ones of an outside batch system, take none.
     */
    void occupied(ClusterId cluster, Slot range, Whose whose, Consumer<Occupied> each);

    /** PEs that are taken for a time, by whom and for what. */
    record Occupied(Slot slot, int pes, AccountName owner, Optional<String> project) {}

    /**
     * What the reservations of a cluster owe that ended in {@code range}, for each currency and each of a grouping.
     *
     * @param most the most sums
     */
    List<Sum> revenue(ClusterId cluster, Slot range, Whose whose, Optional<Grouping> by, int most);

    /**
     * What the live reservations of a cluster owe as things stand, for each state, currency and each of a grouping.
     *
     * @param most the most sums
     */
    List<Owed> owed(ClusterId cluster, Whose whose, Optional<Grouping> by, int most);

    /** What is told apart; where nothing is, all are one group without a name. */
    enum Grouping {
        /** The accounts. */
        OWNER,
        /** What reservations are filed under; all that is filed under nothing is one group without a name. */
        PROJECT;

        /** The name of the group that takes these PEs. */
        public Optional<String> of(Occupied taken) {
            return switch (this) {
                case OWNER -> Optional.of(taken.owner().value());
                case PROJECT -> taken.project();
            };
        }
    }

    /** Money of a group. */
    record Sum(Optional<String> group, Money money) {}

    /** What reservations in a state owe. */
    record Owed(ReservationState state, Sum sum) {}

    /** The outages of a cluster, newest first. */
    List<Outage> outages(ClusterId cluster, Optional<OutageId> olderThan, int limit);

    /** The outages of a cluster whose PEs were, are or will be out of service in {@code range}. */
    List<Outage> outages(ClusterId cluster, Slot range);

    /**
     * The first of the outages of a cluster that were not over, or called off, before {@code from}; the last to begin first.
     *
     * @param from seconds since the epoch
     */
    List<Outage> latestOutages(ClusterId cluster, long from, int limit);

    Optional<Outage> find(OutageId id);

    /** What has become of the requests and reservations of a cluster in {@code range}. */
    Statistics statistics(ClusterId cluster, Slot range);

    /**
     * Figures of a cluster in a time.
     *
     * @param accepted requests that were granted then
     * @param refused requests that were refused then, by their codes; counted by whole hours
     * @param moved how often a reservation was moved then
     * @param completed reservations that ran to their end, or were ended early, then
     * @param failed reservations that the provider could not keep then
     * @param revenue what those owe that ended then, by currency
     * @param credits what was credited for failures then, by currency
     * @param meanSlowdown of those completed then: the time from ready time to end, divided by the time it had PEs
     * @param meanPhi of the alternatives accepted then: how far from what was asked for they lie, in run times
     * @param starts how those accepted were promised to start, and did
     * @param jobs what became of batch jobs then
     */
    record Statistics(
            long accepted,
            Map<String, Long> refused,
            long moved,
            long completed,
            long failed,
            List<Money> revenue,
            List<Money> credits,
            OptionalDouble meanSlowdown,
            OptionalDouble meanPhi,
            StartFigures starts,
            JobFigures jobs) {}

    /**
     * What paper 002's advance reservation module observes.
     *
     * @param immediate requests granted then whose promised start was the time of the promise
     * @param future those whose promised start came later
     * @param meanOffset of the reservations that started then: the seconds between the start that was promised first and the
     *     actual one, be it earlier or later
     */
    record StartFigures(long immediate, long future, OptionalDouble meanOffset) {}

    /**
     * What became of Berth's own batch jobs in a time.
     *
     * @param submitted jobs that joined the queue then
     * @param started how often one started then
     * @param completed jobs that were completed then, or whose estimate was over
     * @param cancelled jobs that were given up then
     * @param meanWait of the starts: the seconds since their submission
     */
    record JobFigures(long submitted, long started, long completed, long cancelled, OptionalDouble meanWait) {}

    /** What was first answered to a key that is not older than it is kept. */
    Optional<FirstResult> firstResult(AccountName account, String key);

    /** An event with its place in the history of its cluster. */
    sealed interface RecordedEvent {
        ClusterId cluster();

        long sequence();

        Event.Type type();

        /** Of the reservation, or of the request for one, that it is about; empty: it is about something else. */
        default Optional<Origin> origin() {
            return this instanceof Whole(var _, var _, var event)
                    ? switch (event) {
                        case ReservationEvent(var _, var after, var _, var _, var _) -> Optional.of(after.origin());
                        case RequestEvent(var _, var after, var _) -> Optional.of(after.origin());
                        default -> Optional.empty();
                    }
                    : Optional.empty();
        }

        /** The project that it concerns: what the reservation or the request is filed under, or whose budget it is; empty if it is none. */
        default Optional<String> project() {
            return this instanceof Whole(var _, var _, BudgetEvent(var budget, var _))
                    ? Optional.of(budget.project())
                    : origin().flatMap(Origin::project);
        }

        /** One of which everything is recorded. */
        record Whole(ClusterId cluster, long sequence, Event event) implements RecordedEvent {
            @Override
            public Event.Type type() {
                return event.type();
            }
        }

        /**
         * An outside batch system told how its queue stands. Its jobs are recorded as they are, not in the history: these
         * reports may be many and long.
         *
         * @param at seconds since the epoch
         * @param running how many jobs ran
         * @param waiting how many waited
         */
        record QueueReplaced(ClusterId cluster, long sequence, long at, int running, int waiting)
                implements RecordedEvent {
            @Override
            public Event.Type type() {
                return Event.Type.JOBS_REPLACED;
            }
        }
    }

    /**
     * Tells of the keys that count.
     *
     * @param each takes the account and its key
     */
    void usedKeys(BiConsumer<AccountName, String> each);

    /** Where an account's live reservations at other Berths lie that have not ended by then, each as one part. */
    List<Part> mirrored(AccountName owner, long now);

    /** What a key was first used for. */
    record FirstResult(String fingerprint, Stands stands) {

        /** What the key stands for since. */
        public sealed interface Stands {
            /** Something that has happened on a cluster. */
            record Happened(Event event) implements Stands {}

            /** A cluster that was created. */
            record Created() implements Stands {}

            /** Something else of that id: a reservation at another Berth, a collected request, a co-allocation. */
            record Filed(UUID id) implements Stands {}
        }
    }
}
