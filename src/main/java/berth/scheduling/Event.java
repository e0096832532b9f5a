package berth.scheduling;

import berth.batch.BatchJob;
import berth.budget.LowBudget;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.Part;
import java.util.List;
import java.util.Optional;

/**
 * Something that happened on a cluster. The events of a cluster, in order, are its history; the schedule is what they
 * add up to.
 */
public sealed interface Event {

    /** What happened. */
    Type type();

    /** When, in seconds since the epoch. */
    long at();

    /** What can happen. */
    enum Type {
        HELD,
        CONFIRMED,
        FIXED,
        /** Its start nears: told ahead to whoever asked for that. */
        STARTING,
        STARTED,
        PAUSED,
        RESUMED,
        CLAIMED,
        CLAIM_POSTPONED,
        ENFORCED,
        ENFORCEMENT_FAILED,
        ENFORCEMENT_POSTPONED,
        RENEGOTIATED,
        /** It was about to end, and goes on for another step, as was agreed. */
        EXTENDED,
        /** It was to go on for another step, and could not: it ends when it was to. */
        NOT_EXTENDED,
        PROPOSED,
        ACCEPTED,
        DECLINED,
        MOVED,
        DEGRADED,
        /** Its end nears. */
        ENDING,
        COMPLETED,
        CANCELLED,
        RELEASED,
        EXPIRED,
        FAILED,
        CLUSTER_CHANGED,
        OUTAGE_RECORDED,
        OUTAGE_ENDED,
        JOB_QUEUED,
        JOB_STARTED,
        JOB_REQUEUED,
        JOB_COMPLETED,
        JOB_CANCELLED,
        JOBS_REPLACED,
        REQUESTED,
        GRANTED,
        REJECTED,
        WITHDRAWN,
        WAITING,
        WAIT_EXPIRED,
        /** A project has spent most of its budget, or all. */
        BUDGET_LOW;

        /** What has happened to a reservation that is in {@code state} now and was not before. */
        static Type of(ReservationState state) {
            return switch (state) {
                case HELD -> HELD;
                case CONFIRMED -> CONFIRMED;
                case RUNNING -> STARTED;
                case COMPLETED -> COMPLETED;
                case CANCELLED -> CANCELLED;
                case EXPIRED -> EXPIRED;
                case FAILED -> FAILED;
            };
        }
    }

    /** Why the provider has moved a reservation. */
    enum MoveReason {
        /** Another request, or a renegotiation, found no room otherwise. */
        MADE_ROOM,
        /** Its PEs went out of service. */
        PES_LOST,
        /** PEs have become free earlier than planned, and it ends sooner. */
        PULLED_FORWARD
    }

    /**
     * A move by the provider.
     *
     * @param from where the reservation lay before
     * @param why it was moved
     */
    record Move(List<Part> from, MoveReason why) {}

    /**
     * Something happened to a reservation.
     *
     * @param reservation as it is after it
     * @param move present exactly if it was moved by the provider
     * @param refused why it was not extended; present exactly if it was not
     */
    record ReservationEvent(
            Type type, Reservation reservation, long at, Optional<Move> move, Optional<RefusalCode> refused)
            implements Event {

        /** Anything but a move by the provider. */
        public ReservationEvent(Type type, Reservation reservation, long at) {
            this(type, reservation, at, Optional.empty(), Optional.empty());
        }

        static ReservationEvent of(Type type, Reservation reservation) {
            return new ReservationEvent(type, reservation, reservation.status().updatedAt());
        }

        /** The provider moved a reservation that lay at {@code from}. */
        static ReservationEvent moved(Reservation reservation, List<Part> from, MoveReason why) {
            return new ReservationEvent(
                    Type.MOVED,
                    reservation,
                    reservation.status().updatedAt(),
                    Optional.of(new Move(from, why)),
                    Optional.empty());
        }

        /** A reservation was to be extended, and was not. */
        static ReservationEvent notExtended(Reservation reservation, RefusalCode why) {
            return new ReservationEvent(
                    Type.NOT_EXTENDED,
                    reservation,
                    reservation.status().updatedAt(),
                    Optional.empty(),
                    Optional.of(why));
        }

        /** A reservation was accepted. */
        public static ReservationEvent accepted(Reservation reservation) {
            return of(Type.of(reservation.state()), reservation);
        }

        /**
         * A reservation went over to another state.
         *
         * @throws IllegalStateException if that state may not follow its present one
         */
        public static ReservationEvent became(Reservation before, ReservationState next, long at) {
            return of(Type.of(next), before.becomes(next, at));
        }
    }

    /**
     * The operator changed the cluster.
     *
     * @param cluster as it is after it
     */
    record ClusterEvent(Cluster cluster, long at) implements Event {
        @Override
        public Type type() {
            return Type.CLUSTER_CHANGED;
        }
    }

    /**
     * PEs go out of service, or come back.
     *
     * @param outage as it is after it
     */
    record OutageEvent(Type type, Outage outage, long at) implements Event {

        static OutageEvent recorded(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_RECORDED, outage, at);
        }

        static OutageEvent ended(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_ENDED, outage.ended(at), at);
        }
    }

    /**
     * Something happened to a batch job.
     *
     * @param job as it is after it
     */
    record JobEvent(Type type, BatchJob job, long at) implements Event {}

    /**
     * An outside batch system has told how its queue stands.
     *
     * @param jobs all that there are from now on, in the order of their ranks
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
     * A project has come to spend a share of its budget at which it is told.
     *
     * @param budget how it stands
     */
    record BudgetEvent(LowBudget budget, long at) implements Event {
        @Override
        public Type type() {
            return Type.BUDGET_LOW;
        }
    }

    /**
     * Something happened to a request that is collected with others, or waits for room.
     *
     * @param request as it is after it
     */
    record RequestEvent(Type type, IntakeRequest request, long at) implements Event {}
}
