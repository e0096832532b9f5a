package berth.events;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.batch.JobDelay;
import berth.booking.terms.PartBody;
import berth.booking.terms.TermsBody;
import berth.booking.web.AnyState;
import berth.booking.web.ApprovalBody;
import berth.booking.web.AssignmentBody;
import berth.booking.web.MovesBody;
import berth.booking.web.PlaceBody;
import berth.booking.web.ReservationBody;
import berth.booking.web.ReservationOrRequestState;
import berth.cluster.Admission;
import berth.cluster.Outage;
import berth.engine.Records.RecordedEvent;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.pricing.Signal;
import berth.projects.web.AmountBody;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.EnforcementState;
import berth.reservation.Proposal;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.ReturnCredit;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event on a cluster.
 *
 * @param sequence number of the event in the history of its cluster
 * @param cluster the cluster on which it happened
 * @param reservation the reservation or request that it concerns; null if it concerns a batch job or the whole cluster
 * @param type type of the event, such as {@code confirmed} or {@code outage-recorded}
 * @param at when it happened
 * @param data the reservation, request, batch job, queue, cluster, outage or budget as it was after the event
 */
public record EventBody(
        long sequence, String cluster, @Nullable UUID reservation, String type, Instant at, DataBody data) {

    /** State of the event's subject after the event. */
    @Schema(name = "EventData")
    sealed interface DataBody {}

    /**
     * A reservation as it was after an event.
     *
     * @param price price owed for it
     * @param credit amount credited for a breach, or for PEs that the run lost
     * @param moves how often it was moved, and how often and how far it may still be moved for others
     * @param move the previous place and the reason for the move; null unless the provider moved it
     * @param proposal the provider's proposal that is not answered yet; null if there is none
     * @param approval the approval that it needs, or needed before it was confirmed; null if it needed none
     * @param enforcement how far the part that runs now or comes next is in place on the machine; null if nothing was reported
     */
    record ReservationDataBody(
            @JsonUnwrapped StandingDataBody standing,
            @JsonUnwrapped PlaceDataBody place,
            MoneyBody price,
            @Nullable MoneyBody credit,
            MovesBody moves,
            @Nullable MoveBody move,
            @Nullable ProposalBody proposal,
            @Nullable ApprovalBody approval,
            @Nullable EnforcedDataBody enforcement,
            @JsonUnwrapped OccasionBody occasion)
            implements DataBody {}

    /**
     * State and terms of a reservation after an event.
     *
     * @param state state of the reservation
     * @param reason why the reservation ended, if neither its end time nor its owner caused it
     * @param nearestPlace the nearest place that fits, if it failed for lack of PEs before it began; null if there is none, and otherwise
     * @param terms the agreed terms
     */
    record StandingDataBody(
            AnyState state,
            @Nullable String reason,
            ReservationBody.@Nullable NearestPlaceBody nearestPlace,
            TermsBody terms) {

        private static StandingDataBody of(Reservation reservation) {
            return new StandingDataBody(
                    AnyState.of(reservation.state()),
                    Texts.orNull(reservation.status().reason().map(EndReason::name)),
                    ReservationBody.nearestPlace(reservation),
                    TermsBody.of(reservation.terms()));
        }
    }

    /**
     * Place of a reservation after an event, and until when it is the reservation's.
     *
     * @param placement the time and PEs of the reservation; a running part has the PEs that it has after the event
     * @param losses the PEs that the run has lost and will lose; null if there are none
     * @param fixedAt the time from which its place is final; a move may change it
     * @param holdExpiresAt when its hold expires; null unless it is held
     * @param claimBy when it must be claimed at the latest; null if it need not be claimed
     */
    record PlaceDataBody(
            PlaceBody.PlacementBody placement,
            PlaceBody.@Nullable LossesBody losses,
            Instant fixedAt,
            @Nullable Instant holdExpiresAt,
            @Nullable Instant claimBy) {

        private static PlaceDataBody of(Reservation reservation) {
            return new PlaceDataBody(
                    PlaceBody.placement(reservation),
                    PlaceBody.losses(reservation),
                    Texts.instant(reservation.placement().fixesAt()),
                    Texts.instant(reservation.status().holdExpiresAt()),
                    Texts.instant(reservation.status().claimBy()));
        }
    }

    /**
     * Details that only some types of events have.
     *
     * @param leads how long ahead its start or end was announced; null unless the event is an announcement
     * @param refusal problem code of a failed extension; null unless an extension failed
     * @param returnCredit amount taken off the price because others booked PE-time that the owner returned, and were charged for it; null
     *     unless this is what happened
     * @param assignment who requested it for its owner, or handed it over; null if its owner requested it
     */
    record OccasionBody(
            @Nullable List<String> leads,
            @Nullable String refusal,
            @Nullable MoneyBody returnCredit,
            @Nullable AssignmentBody assignment) {}

    /**
     * State of enforcement of a reservation on the machine.
     *
     * @param state how far it was in place
     * @param handle its name on the machine
     * @param nodes its nodes, as the machine names them
     * @param detail why it was not in place
     */
    @Schema(name = "EnforcementData")
    record EnforcedDataBody(
            EnforcementState state,
            @Nullable String handle,
            @Nullable String nodes,
            @Nullable String detail) {}

    /**
     * A request as it was after an event.
     *
     * @param state state of the request; CONFIRMED if it became a reservation
     * @param reason problem code of its rejection, if it was rejected
     * @param terms the requested terms
     * @param priority priority of the account at the time of the request
     */
    record RequestDataBody(AnyState state, @Nullable String reason, TermsBody terms, int priority)
            implements DataBody {}

    /**
     * A move by the provider.
     *
     * @param from the parts before the move
     * @param to the parts after the move
     * @param why the reason for the move
     * @param priceBefore the price before a move with {@code CHEAPER}; null for other moves
     */
    @Schema(name = "Move")
    record MoveBody(
            List<PartBody> from,
            List<PartBody> to,
            MoveReason why,
            @Nullable MoneyBody priceBefore) {}

    /**
     * Other terms that the provider offers.
     *
     * @param number number of the proposal, for accepting or declining it
     * @param by the administrator who makes the proposal
     * @param terms the offered terms
     * @param incentive amount taken off the price if the proposal is accepted
     * @param expiresAt the time until which the proposal can be accepted
     */
    @Schema(name = "Proposal")
    record ProposalBody(int number, String by, TermsBody terms, MoneyBody incentive, Instant expiresAt) {}

    /**
     * A cluster as it was after an event.
     *
     * @param version how often the cluster had changed
     * @param pes its number of processing elements
     * @param admission whether it accepted new reservations
     */
    record ClusterDataBody(int version, int pes, Admission admission) implements DataBody {}

    /**
     * The signal of a cluster as it was after an event. Its factors can be read.
     *
     * @param source where the factors come from; null if there are none
     * @param to the end of the last factor; null if there are none
     */
    @Schema(name = "SignalData")
    record SignalDataBody(@Nullable String source, @Nullable Instant to) implements DataBody {

        private static SignalDataBody of(Signal signal) {
            return signal.isNone()
                    ? new SignalDataBody(null, null)
                    : new SignalDataBody(signal.source(), Texts.instant(signal.until()));
        }
    }

    /**
     * An outage as it was after an event.
     *
     * @param outage id of the outage
     * @param pes number of PEs out of service
     * @param peIds the PEs out of service; null if the outage names no particular ones
     * @param from start of the outage
     * @param to its planned end; null if it lasts until an operator ends it
     * @param source the system that reported the outage; null if an operator recorded it
     * @param begunAt when it began; null if it had not
     * @param endedAt when it ended; null if it had not
     */
    record OutageDataBody(
            UUID outage,
            int pes,
            @Nullable String peIds,
            Instant from,
            @Nullable Instant to,
            @Nullable String source,
            @Nullable Instant begunAt,
            @Nullable Instant endedAt)
            implements DataBody {}

    /**
     * A batch job as it was after an event.
     *
     * @param job id of the job
     * @param name the owner's label
     * @param owner owner of the job
     * @param state state of the job
     * @param pes number of PEs that it needed
     * @param start when it started; null if it had not started
     * @param end when it ended or would end at the latest; null if it had not started
     * @param peIds the PEs that it had; null if it had not started
     * @param delay how much later than before it is planned to start; null unless this is what happened
     */
    record JobDataBody(
            UUID job,
            @Nullable String name,
            String owner,
            AnyState state,
            int pes,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable String peIds,
            @Nullable DelayBody delay)
            implements DataBody {}

    /**
     * A later planned start of a waiting batch job.
     *
     * @param from the planned start before
     * @param to the planned start afterwards; null if it can no longer be foreseen
     * @param why the kind of change that delayed the job
     */
    @Schema(name = "JobDelay")
    record DelayBody(Instant from, @Nullable Instant to, JobDelay.Reason why) {

        private static DelayBody of(JobDelay delay) {
            return new DelayBody(Texts.instant(delay.from()), Texts.instant(delay.to()), delay.why());
        }
    }

    /**
     * The queue of an outside batch system after an event.
     *
     * @param running number of running jobs
     * @param waiting number of waiting jobs
     */
    record QueueDataBody(int running, int waiting) implements DataBody {}

    /**
     * A budget as it was after an event.
     *
     * @param project the project that the budget belongs to
     * @param percent the share of the budget that was reached, in percent: 80 or 100
     * @param granted amount that the project could spend
     * @param taken amount of it that was held or charged
     */
    record BudgetDataBody(String project, int percent, AmountBody granted, AmountBody taken) implements DataBody {}

    public static EventBody of(RecordedEvent recorded) {
        return switch (recorded) {
            case RecordedEvent.Whole(var cluster, long sequence, var event) -> of(cluster, sequence, event);
            case RecordedEvent.QueueReplaced(var cluster, long sequence, long at, int running, int waiting) ->
                new EventBody(
                        sequence,
                        cluster.value(),
                        null,
                        word(recorded.type()),
                        Texts.instant(at),
                        new QueueDataBody(running, waiting));
        };
    }

    private static EventBody of(ClusterId cluster, long sequence, Event event) {
        return new EventBody(
                sequence,
                cluster.value(),
                Texts.orNull(concerned(event).map(ReservationId::value)),
                word(event.type()),
                Texts.instant(event.at()),
                switch (event) {
                    case ReservationEvent(var type, var after, var _, var move, var refused, var returned) ->
                        of(type, after, move, refused, returned);
                    case ClusterEvent(var type, var after, var _) ->
                        type == Event.Type.SIGNAL_CHANGED
                                ? SignalDataBody.of(after.tariff().signal())
                                : new ClusterDataBody(after.version(), after.pes(), after.admission());
                    case OutageEvent(var _, var after, var at) -> of(after, at);
                    case JobEvent(var _, var after, var _) -> of(after, null);
                    case DelayEvent(var job, var delay, var _) -> of(job, DelayBody.of(delay));
                    case JobsEvent _ ->
                        throw new IllegalStateException("A queue is recorded by its size, not as a whole.");
                    case RequestEvent(var _, var after, var _) ->
                        new RequestDataBody(
                                AnyState.of(ReservationOrRequestState.of(after.state())),
                                Texts.orNull(after.reason().map(RefusalCode::word)),
                                TermsBody.of(after.terms()),
                                after.priority());
                    case BudgetEvent(var budget, var _) ->
                        new BudgetDataBody(
                                budget.project(),
                                budget.percent(),
                                AmountBody.of(budget.unit(), budget.granted()),
                                AmountBody.of(budget.unit(), budget.taken()));
                });
    }

    private static Optional<ReservationId> concerned(Event event) {
        return switch (event) {
            case ReservationEvent(var _, var after, var _, var _, var _, var _) -> Optional.of(after.id());
            case RequestEvent(var _, var after, var _) -> Optional.of(after.id());
            default -> Optional.empty();
        };
    }

    /** Returns the name of an event type in the API, such as {@code outage-recorded}. */
    public static String word(Event.Type type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns an outage as of then. In events of 0.1.0, one that was announced does not say that it has yet to begin. */
    private static OutageDataBody of(Outage outage, long at) {
        return new OutageDataBody(
                outage.id().value(),
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)),
                Texts.instant(outage.from()),
                Texts.instant(outage.to()),
                Texts.orNull(outage.source()),
                outage.from() > at ? null : Texts.instant(outage.begunAt()),
                Texts.instant(outage.endedAt()));
    }

    private static JobDataBody of(BatchJob job, @Nullable DelayBody delay) {
        var end = job.endedAt().isPresent()
                ? job.endedAt()
                : job.run().map(run -> OptionalLong.of(run.until())).orElse(OptionalLong.empty());
        return new JobDataBody(
                job.id().value(),
                Texts.orNull(job.name()),
                job.owner().value(),
                AnyState.of(job.state()),
                job.pes(),
                Texts.orNull(job.run().map(run -> Texts.instant(run.start()))),
                Texts.instant(end),
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)),
                delay);
    }

    private static ReservationDataBody of(
            Event.Type type,
            Reservation reservation,
            Optional<Move> move,
            Optional<RefusalCode> refused,
            Optional<ReturnCredit> returned) {
        boolean isAnnounced = type == Event.Type.STARTING || type == Event.Type.ENDING;
        return new ReservationDataBody(
                StandingDataBody.of(reservation),
                PlaceDataBody.of(reservation),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                MovesBody.of(
                        reservation, reservation.hasChoice(reservation.status().updatedAt())),
                Texts.orNull(move.map(moved -> new MoveBody(
                        PartBody.of(moved.from()),
                        PartBody.of(reservation.parts()),
                        moved.why(),
                        Texts.orNull(moved.price().map(MoneyBody::of))))),
                Texts.orNull(reservation.proposal().map(EventBody::of)),
                Texts.orNull(reservation.status().approval().map(ApprovalBody::of)),
                Texts.orNull(reservation
                        .enforcement()
                        .of(reservation.currentPart())
                        .map(told -> new EnforcedDataBody(
                                told.state(),
                                Texts.orNull(told.handle()),
                                Texts.orNull(told.nodes()),
                                Texts.orNull(told.detail())))),
                new OccasionBody(
                        isAnnounced
                                ? reservation.leadsJustTold().stream()
                                        .map(Texts::duration)
                                        .toList()
                                : null,
                        Texts.orNull(refused.map(RefusalCode::word)),
                        Texts.orNull(returned.map(
                                credit -> MoneyBody.of(credit.credited().money()))),
                        AssignmentBody.of(reservation.origin())));
    }

    private static ProposalBody of(Proposal proposal) {
        return new ProposalBody(
                proposal.number(),
                proposal.by().value(),
                TermsBody.of(proposal.terms()),
                MoneyBody.of(proposal.incentive()),
                Texts.instant(proposal.expiresAt()));
    }
}
