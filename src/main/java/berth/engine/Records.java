package berth.engine;

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
import berth.scheduling.Allowance.PastRun;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.DelayEvent;
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

/** Reads recorded data: committed facts only. Never waits for a writer. */
public interface Records {

    Optional<Reservation> find(ReservationId id);

    /**
     * Returns the sequence of the last event on each cluster that concerns the selected reservations; clusters without one are left out.
     */
    Map<ClusterId, Long> lastSequences(Whose whose);

    /** Returns a collected request in its present state. */
    Optional<IntakeRequest> collected(ReservationId id);

    Optional<BatchJob> find(JobId id);

    /** Returns the batch jobs of a cluster that match the filter, latest submission first. */
    List<BatchJob> jobs(ClusterId cluster, JobFilter filter, Optional<JobPosition> after, int limit);

    /** Selects batch jobs; an empty field does not restrict. */
    record JobFilter(Optional<AccountName> owner, Optional<JobState> state) {}

    /** A position in the list of jobs, given by its last job; {@code submittedAt} is in seconds since the epoch. */
    record JobPosition(long submittedAt, JobId id) {}

    /** Returns the batch jobs of a cluster that have or had PEs in {@code range}, by start. */
    List<BatchJob> running(ClusterId cluster, Slot range, Whose whose, int limit);

    /**
     * Selects by owner and project; an empty field does not restrict.
     *
     * @param owner the account
     * @param project the project of reservations; batch jobs have none
     */
    record Whose(Optional<AccountName> owner, Optional<String> project) {

        /** Selects everything. */
        public static final Whose ALL = new Whose(Optional.empty(), Optional.empty());
    }

    /** Returns the events of a reservation, or of the request for it, after {@code sequence}, in order. */
    List<RecordedEvent> events(ReservationId reservation, long sequence, int limit);

    /**
     * Returns the events after a position on each cluster, or from its beginning if it has no position. They are ordered by time, and on
     * each cluster by sequence.
     *
     * @param whose selects events of reservations and of requests for them; {@link Whose#ALL} selects all events
     */
    List<RecordedEvent> events(Map<ClusterId, Long> positions, Whose whose, int limit);

    /**
     * Returns the sequence of the last event of each cluster before a time. Takes about thirty reads for each cluster.
     *
     * @param time seconds since the epoch
     */
    Map<ClusterId, Long> positionsBefore(long time);

    /**
     * Returns the events of a cluster after {@code sequence}, in order, as far as they are still kept.
     *
     * @param whose selects events of reservations and of requests for them; {@link Whose#ALL} selects all events
     */
    List<RecordedEvent> events(ClusterId cluster, long sequence, Whose whose, int limit);

    /**
     * Waits until more events can be read, or until patience is over.
     *
     * @param seen the number that the last call returned, 0 at first
     * @return a different number if there are more events
     */
    long awaitMore(long seen, Duration patience) throws InterruptedException;

    /** Returns the sequence of the last recorded event of a cluster; 0 if there is none. */
    long lastSequence(ClusterId cluster);

    /** Returns the renegotiations and proposals of a reservation, newest first. */
    List<Renegotiation> renegotiations(ReservationId reservation, OptionalLong beforeVersion, int limit);

    /** A change of terms that the owner requested and got, or a proposal by the provider. */
    sealed interface Renegotiation {

        /** Returns its number, which is the version of the reservation that it created. */
        int number();

        /**
         * A change that the owner requested.
         *
         * @param after the reservation after the change
         * @param priceBefore what it owed before
         */
        record Agreement(Reservation after, Money priceBefore) implements Renegotiation {
            @Override
            public int number() {
                return after.status().version();
            }
        }

        /**
         * A proposal by the provider.
         *
         * @param offered the reservation with the proposal
         * @param reply the owner's answer; empty if there is none
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
     * @param isAccepted whether the owner accepted
     * @param after the reservation after the answer
     * @param priceBefore what it owed before
     */
    record Reply(boolean isAccepted, Reservation after, Money priceBefore) {}

    /**
     * Returns the reservations of a cluster that span a part of {@code range}, by start, including those whose parts all lie outside it.
     */
    List<Reservation> occupying(ClusterId cluster, Slot range, Whose whose, int limit);

    /**
     * Passes on everything that takes PEs of a cluster in {@code range}, reservations and batch jobs, in no particular order. Waiting jobs
     * and ended jobs of an external batch system take none.
     */
    void occupied(ClusterId cluster, Slot range, Whose whose, Consumer<Occupied> each);

    /** PEs taken for some time, with their owner and project. */
    record Occupied(Slot slot, int pes, AccountName owner, Optional<String> project) {}

    /**
     * Returns what the reservations of a cluster that ended in {@code range} owe, for each currency and group.
     *
     * @param most the most sums to return
     */
    List<Sum> revenue(ClusterId cluster, Slot range, Whose whose, Optional<Grouping> by, int most);

    /**
     * Returns what the live reservations of a cluster owe at present, for each state, currency and group.
     *
     * @param most the most sums to return
     */
    List<Owed> owed(ClusterId cluster, Whose whose, Optional<Grouping> by, int most);

    /** How sums are grouped; without a grouping there is one group without a name. */
    enum Grouping {
        /** By account. */
        OWNER,
        /** By project; reservations without a project form one group without a name. */
        PROJECT;

        /** Returns the group of taken PEs. */
        public Optional<String> of(Occupied taken) {
            return switch (this) {
                case OWNER -> Optional.of(taken.owner().value());
                case PROJECT -> taken.project();
            };
        }
    }

    /** An amount of a group. */
    record Sum(Optional<String> group, Money money) {}

    /** The amount that reservations in a state owe. */
    record Owed(ReservationState state, Sum sum) {}

    /** Returns the outages of a cluster, newest first. */
    List<Outage> outages(ClusterId cluster, Optional<OutageId> olderThan, int limit);

    /** Returns the outages of a cluster that take PEs in {@code range}. */
    List<Outage> outages(ClusterId cluster, Slot range);

    /**
     * Returns the outages of a cluster that are not over by {@code from}, latest start first, without those called off before they began.
     *
     * @param from seconds since the epoch
     */
    List<Outage> latestOutages(ClusterId cluster, long from, int limit);

    Optional<Outage> find(OutageId id);

    /** Returns the statistics of a cluster in {@code range}. */
    Statistics statistics(ClusterId cluster, Slot range);

    /**
     * The statistics of a cluster over some time.
     *
     * @param revenue what the reservations that ended owe, by currency
     * @param credits the credits for failures and for lost PEs, by currency
     * @param starts promised and actual starts of accepted reservations
     * @param jobs figures of batch jobs
     */
    record Statistics(
            Decisions decisions,
            List<Money> revenue,
            List<Money> credits,
            Quality quality,
            StartFigures starts,
            JobFigures jobs) {}

    /**
     * Decisions on reservations.
     *
     * @param accepted the number of granted requests
     * @param refused the number of refused requests by code, counted in whole hours
     * @param moved the number of moves of reservations
     */
    record Decisions(long accepted, Map<String, Long> refused, long moved) {}

    /**
     * How well reservations were served.
     *
     * @param completed the number of reservations that ran to their end or were ended early
     * @param failed the number of reservations that the provider could not keep
     * @param meanSlowdown the mean over completed reservations of the time from ready time to end, divided by the time with PEs
     * @param meanPhi the mean distance of accepted alternatives from the requested window, in run times
     */
    record Quality(long completed, long failed, OptionalDouble meanSlowdown, OptionalDouble meanPhi) {}

    /**
     * The figures that paper 002's advance reservation module observes.
     *
     * @param immediate granted requests whose promised start was the time of the promise
     * @param future granted requests whose promised start was later
     * @param meanOffset the mean difference between the first promised and the actual start of the reservations that started, in seconds,
     *     early or late
     */
    record StartFigures(long immediate, long future, OptionalDouble meanOffset) {}

    /**
     * Figures of Berth's own batch jobs over some time.
     *
     * @param submitted the number of submitted jobs
     * @param started the number of starts
     * @param completed the number of jobs that completed or reached their estimate
     * @param cancelled the number of cancelled jobs
     * @param meanWait the mean time from submission to start, in seconds
     */
    record JobFigures(long submitted, long started, long completed, long cancelled, OptionalDouble meanWait) {}

    /** Returns the first result of a key that is still valid. */
    Optional<FirstResult> firstResult(AccountName account, String key);

    /** An event with its position in the history of its cluster. */
    sealed interface RecordedEvent {
        ClusterId cluster();

        long sequence();

        Event.Type type();

        /** Returns the origin of the reservation or request that the event concerns; empty for other events. */
        default Optional<Origin> origin() {
            return this instanceof Whole(var _, var _, var event)
                    ? switch (event) {
                        case ReservationEvent(var _, var after, var _, var _, var _, var _) ->
                            Optional.of(after.origin());
                        case RequestEvent(var _, var after, var _) -> Optional.of(after.origin());
                        default -> Optional.empty();
                    }
                    : Optional.empty();
        }

        /** Returns the owner of the reservation, the request or the delayed job that the event concerns; empty for other events. */
        default Optional<AccountName> owner() {
            return this instanceof Whole(var _, var _, DelayEvent(var job, var _, var _))
                    ? Optional.of(job.owner())
                    : origin().map(Origin::owner);
        }

        /**
         * Returns the project that the event concerns: that of the reservation or request, or that of the budget; empty if there is none.
         */
        default Optional<String> project() {
            return this instanceof Whole(var _, var _, BudgetEvent(var budget, var _))
                    ? Optional.of(budget.project())
                    : origin().flatMap(Origin::project);
        }

        /** An event with its full content. */
        record Whole(ClusterId cluster, long sequence, Event event) implements RecordedEvent {
            @Override
            public Event.Type type() {
                return event.type();
            }
        }

        /**
         * A report of an external batch system on its queue. Its jobs are recorded in their present state, not in the history, because
         * reports are frequent and long.
         *
         * @param at seconds since the epoch
         * @param running the number of running jobs
         * @param waiting the number of waiting jobs
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
     * Passes on the valid keys.
     *
     * @param each receives the account and the key
     */
    void usedKeys(BiConsumer<AccountName, String> each);

    /** Returns the places of an account's live reservations at other Berths that have not ended by then, each as one part. */
    List<Part> mirrored(AccountName owner, long now);

    /**
     * Returns the reservations of an account on clusters of this Berth that have had PEs and ended after {@code since}, with the parts that
     * had PEs.
     *
     * @param since seconds since the epoch
     * @param most the most reservations to return
     */
    List<PastRun> ended(AccountName owner, long since, int most);

    /** The first use of a key and its result. */
    record FirstResult(String fingerprint, KeyResult stands) {

        /** The result of a key. */
        public sealed interface KeyResult {
            /** An event on a cluster. */
            record Happened(Event event) implements KeyResult {}

            /** A created cluster. */
            record Created() implements KeyResult {}

            /** The id of something else, such as a reservation at another Berth, a collected request, a co-allocation or a series. */
            record Filed(UUID id) implements KeyResult {}
        }
    }
}
