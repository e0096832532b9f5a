package berth.scheduling;

import berth.batch.BatchJob;
import berth.batch.JobDelay;
import berth.budget.LowBudget;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.Quantity;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.Money;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;

/** An event on a cluster. The events of a cluster, in order, are its history; the schedule is their sum. */
public sealed interface Event {

    /** Returns the type of the event. */
    Type type();

    /** Returns the time of the event, in seconds since the epoch. */
    long at();

    /** The types of events. */
    enum Type {
        HELD,
        CONFIRMED,
        /** The reservation waits until those who must approve it have. */
        APPROVAL_ASKED,
        /** Somebody approved the reservation. It is confirmed, unless others must approve it too. */
        APPROVED,
        /** Somebody who had to approve the reservation declined. */
        APPROVAL_DECLINED,
        FIXED,
        /** The reservation starts soon; announced to those who asked for it. */
        STARTING,
        STARTED,
        PAUSED,
        RESUMED,
        CLAIMED,
        CLAIM_POSTPONED,
        ENFORCED,
        ENFORCEMENT_FAILED,
        ENFORCEMENT_POSTPONED,
        /** Other users than before may run jobs in it. */
        USERS_CHANGED,
        /** The owner hands it over to another account. */
        TRANSFERRED,
        /** Another account has handed it over to the owner. */
        RECEIVED,
        RENEGOTIATED,
        /** The run was about to end and was extended automatically by a step. */
        EXTENDED,
        /** The run could not be extended automatically and ends as planned. */
        NOT_EXTENDED,
        PROPOSED,
        ACCEPTED,
        DECLINED,
        MOVED,
        /** The run will lose PEs in an outage that has not begun, or a reservation that has not begun awaits PEs out of service. */
        LOSING,
        /** The run has lost PEs and got others: for all of them at once, or later for as many as have become free. */
        REPLACED,
        /** The agreement is kept only in part: the run goes on without PEs that it lost, or another reservation of its co-allocation failed. */
        DEGRADED,
        /** The reservation has got PEs back, or keeps PEs that it was to lose. */
        RESTORED,
        /** The run ends soon; announced to those who asked for it. */
        ENDING,
        COMPLETED,
        CANCELLED,
        RELEASED,
        EXPIRED,
        FAILED,
        /** Others who have booked returned time were charged for it, so more of its price was credited to the owner who returned it. */
        RETURN_CREDITED,
        /** Returned time is over, or its new reservation was not charged; less of its price may still be credited. */
        RETURN_ENDED,
        CLUSTER_CHANGED,
        /** The factors on the cluster's prices by time changed. */
        SIGNAL_CHANGED,
        OUTAGE_RECORDED,
        OUTAGE_BEGAN,
        OUTAGE_ENDED,
        JOB_QUEUED,
        JOB_STARTED,
        JOB_REQUEUED,
        /** Reservations put the planned start of a waiting job off. */
        JOB_DELAYED,
        JOB_COMPLETED,
        JOB_CANCELLED,
        JOBS_REPLACED,
        REQUESTED,
        GRANTED,
        REJECTED,
        WITHDRAWN,
        WAITING,
        WAIT_EXPIRED,
        /** A project has spent most or all of its budget. */
        BUDGET_LOW;

        /** Returns the event of a reservation that has just reached {@code state}. */
        public static Type of(ReservationState state) {
            return switch (state) {
                case HELD -> HELD;
                case PENDING -> APPROVAL_ASKED;
                case CONFIRMED -> CONFIRMED;
                case RUNNING -> STARTED;
                case COMPLETED -> COMPLETED;
                case CANCELLED -> CANCELLED;
                case EXPIRED -> EXPIRED;
                case FAILED -> FAILED;
            };
        }
    }

    /** The reason why the provider moved a reservation. */
    enum MoveReason {
        /** It made room for another request or a renegotiation. */
        MADE_ROOM,
        /** Its PEs went out of service. */
        PES_LOST,
        /** PEs became free earlier than planned, and it now ends sooner. */
        PULLED_FORWARD,
        /** It follows the cluster's signal, as its owner wishes, and now costs less. */
        CHEAPER
    }

    /**
     * A move by the provider.
     *
     * @param from the place before the move
     * @param why the reason
     * @param price the price before the move; present if and only if the reservation moved to cost less
     */
    record Move(List<Part> from, MoveReason why, Optional<Money> price) {

        /** Creates a move whose aim was not the price. */
        public Move(List<Part> from, MoveReason why) {
            this(from, why, Optional.empty());
        }
    }

    /**
     * A credit for returned time that others have booked again.
     *
     * @param by the reservation that was charged for the time
     * @param credited how much less the reservation that returned the time owes
     */
    record ReturnCredit(ReservationId by, Quantity credited) {}

    /**
     * An event of a reservation.
     *
     * @param reservation the reservation after the event
     * @param move present if and only if the provider moved the reservation
     * @param refused why an automatic extension failed; present if and only if it did
     * @param returned present if and only if more of the price of returned time was credited
     */
    record ReservationEvent(
            Type type,
            Reservation reservation,
            long at,
            Optional<Move> move,
            Optional<RefusalCode> refused,
            Optional<ReturnCredit> returned)
            implements Event {

        /** Creates any event except a credit for returned time. */
        public ReservationEvent(
                Type type, Reservation reservation, long at, Optional<Move> move, Optional<RefusalCode> refused) {
            this(type, reservation, at, move, refused, Optional.empty());
        }

        /** Creates any event except a move or a failed extension. */
        public ReservationEvent(Type type, Reservation reservation, long at) {
            this(type, reservation, at, Optional.empty(), Optional.empty());
        }

        public static ReservationEvent of(Type type, Reservation reservation) {
            return new ReservationEvent(type, reservation, reservation.status().updatedAt());
        }

        /** Creates the event of a reservation after a move. */
        static ReservationEvent moved(Reservation reservation, Move move) {
            return new ReservationEvent(
                    Type.MOVED, reservation, reservation.status().updatedAt(), Optional.of(move), Optional.empty());
        }

        /** Creates the event of a reservation that could not be extended automatically. */
        public static ReservationEvent notExtended(Reservation reservation, RefusalCode why) {
            return new ReservationEvent(
                    Type.NOT_EXTENDED,
                    reservation,
                    reservation.status().updatedAt(),
                    Optional.empty(),
                    Optional.of(why));
        }

        /** Returns the same event with the reservation as it is after it. */
        public ReservationEvent with(Reservation after) {
            return new ReservationEvent(type, after, at, move, refused, returned);
        }

        /** Creates the event of a reservation after more of the price of returned time was credited. */
        static ReservationEvent credited(Reservation after, ReturnCredit credit, long at) {
            return new ReservationEvent(
                    Type.RETURN_CREDITED, after, at, Optional.empty(), Optional.empty(), Optional.of(credit));
        }

        /** Creates the event of an accepted reservation. */
        public static ReservationEvent accepted(Reservation reservation) {
            return of(Type.of(reservation.state()), reservation);
        }

        /**
         * Creates the event of a reservation that goes to another state.
         *
         * @throws IllegalStateException if that state cannot follow the present one
         */
        public static ReservationEvent became(Reservation before, ReservationState next, long at) {
            return of(Type.of(next), before.becomes(next, at));
        }
    }

    /**
     * The operator changed the cluster, or a program its signal.
     *
     * @param cluster the cluster after the event
     */
    record ClusterEvent(Type type, Cluster cluster, long at) implements Event {

        /** Creates the event of a cluster with other rules. */
        public ClusterEvent(Cluster cluster, long at) {
            this(Type.CLUSTER_CHANGED, cluster, at);
        }
    }

    /**
     * PEs went out of service or came back.
     *
     * @param outage the outage after the event
     */
    record OutageEvent(Type type, Outage outage, long at) implements Event {

        public static OutageEvent recorded(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_RECORDED, outage, at);
        }

        public static OutageEvent began(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_BEGAN, outage.begun(), at);
        }

        public static OutageEvent ended(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_ENDED, outage.ended(at), at);
        }
    }

    /**
     * An event of a batch job.
     *
     * @param job the job after the event
     */
    record JobEvent(Type type, BatchJob job, long at) implements Event {}

    /**
     * The planned start of a waiting batch job became later.
     *
     * @param job the job, which has not changed
     */
    record DelayEvent(BatchJob job, JobDelay delay, long at) implements Event {
        @Override
        public Type type() {
            return Type.JOB_DELAYED;
        }
    }

    /**
     * An external batch system reported its queue.
     *
     * @param jobs all its jobs, in the order of their ranks
     */
    record JobsEvent(List<BatchJob> jobs, long at) implements Event {

        public JobsEvent {
            jobs = List.copyOf(jobs);
        }

        @Override
        public Type type() {
            return Type.JOBS_REPLACED;
        }
    }

    /**
     * The use of a project's budget has reached a share that causes a notice.
     *
     * @param budget the state of the budget
     */
    record BudgetEvent(LowBudget budget, long at) implements Event {
        @Override
        public Type type() {
            return Type.BUDGET_LOW;
        }
    }

    /**
     * An event of a request that is collected or waits for room.
     *
     * @param request the request after the event
     */
    record RequestEvent(Type type, IntakeRequest request, long at) implements Event {}
}
