package berth.rest;

import berth.availability.PeSet;
import berth.batch.BatchJob;
import berth.batch.BatchJob.Run;
import berth.cluster.Admission;
import berth.cluster.Outage;
import berth.desk.Records.RecordedEvent;
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
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.Move;
import berth.scheduling.Event.MoveReason;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened.
 *
 * @param sequence its number in the history of its cluster
 * @param cluster where
 * @param reservation whom it concerns; null if it concerns a batch job or the cluster as a whole
 * @param type what happened, such as {@code confirmed} or {@code outage-recorded}
 * @param at when
 * @param data the reservation, the batch job, the queue, the cluster or the outage as it was after it
 */
public record EventBody(
        long sequence, String cluster, @Nullable UUID reservation, String type, Instant at, DataBody data) {

    /** What the event is about, as it was after it. */
    @Schema(name = "EventData")
    sealed interface DataBody {}

    /**
     * A reservation as it was after an event.
     *
     * @param state where it stood
     * @param reason why it ended, where neither its end nor its owner says so
     * @param terms what was agreed
     * @param placement where it lay in time, and on which PEs
     * @param fixedAt from when on its place was final
     * @param holdExpiresAt when its hold was to end; null unless it was held
     * @param claimBy until when it was to be claimed; null if it needed not
     * @param price what it owed
     * @param credit what it was credited for a breach
     * @param move where it lay before, and why it was moved; null unless the provider moved it
     * @param proposal what the provider offered and was not answered; null if there was nothing
     * @param enforcement how far the part that ran, or came next, was in place on the machine; null if nothing was told
     * @param leads how long ahead of its start, or of its end, that was announced; null unless it was
     * @param refusal the code of why it could not be extended; null unless it was to be
     */
    record ReservationDataBody(
            AnyState state,
            @Nullable String reason,
            TermsBody terms,
            ReservationBody.PlacementBody placement,
            Instant fixedAt,
            @Nullable Instant holdExpiresAt,
            @Nullable Instant claimBy,
            MoneyBody price,
            @Nullable MoneyBody credit,
            @Nullable MoveBody move,
            @Nullable ProposalBody proposal,
            @Nullable EnforcedDataBody enforcement,
            @Nullable List<String> leads,
            @Nullable String refusal)
            implements DataBody {}

    /**
     * How far a reservation was in place on the machine.
     *
     * @param state how far
     * @param handle its name there
     * @param nodes where it lay, in the machine's words
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
     * @param state where it stood; CONFIRMED, if a reservation came of it
     * @param reason the code of its refusal, if it was rejected
     * @param terms what was asked for
     * @param priority of the account when it asked
     */
    record RequestDataBody(AnyState state, @Nullable String reason, TermsBody terms, int priority)
            implements DataBody {}

    /**
     * A move by the provider.
     *
     * @param from where the reservation lay before
     * @param to where it lay then
     * @param why the reason for it
     */
    @Schema(name = "Move")
    record MoveBody(List<PartBody> from, List<PartBody> to, MoveReason why) {}

    /**
     * Other terms that the provider offers.
     *
     * @param number for the answer
     * @param by the administrator who offers it
     * @param terms what is offered
     * @param incentive what accepting takes off the price
     * @param expiresAt until when it can be accepted
     */
    @Schema(name = "Proposal")
    record ProposalBody(int number, String by, TermsBody terms, MoneyBody incentive, Instant expiresAt) {}

    /**
     * A cluster as it was after an event.
     *
     * @param version how often it had changed
     * @param pes its processing elements
     * @param admission whether it took new reservations
     */
    record ClusterDataBody(int version, int pes, Admission admission) implements DataBody {}

    /**
     * An outage as it was after an event.
     *
     * @param outage which one
     * @param pes how many PEs were out of service
     * @param peIds which; null: no particular ones
     * @param from since when
     * @param to until when, as planned; null: until it was ended
     * @param source who told of it; null: an operator had recorded it
     * @param endedAt when the PEs came back; null: they had not
     */
    record OutageDataBody(
            UUID outage,
            int pes,
            @Nullable String peIds,
            Instant from,
            @Nullable Instant to,
            @Nullable String source,
            @Nullable Instant endedAt)
            implements DataBody {}

    /**
     * A batch job as it was after an event.
     *
     * @param job which one
     * @param name the owner's label
     * @param owner whose it was
     * @param state where it stood
     * @param pes how many PEs it needed
     * @param start since when it ran; null if it had not begun
     * @param end when it ended, or was to end at the latest; null if it had not begun
     * @param peIds which PEs it had; null if it had not begun
     */
    record JobDataBody(
            UUID job,
            @Nullable String name,
            String owner,
            AnyState state,
            int pes,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable String peIds)
            implements DataBody {}

    /**
     * The queue of an outside batch system as it stood.
     *
     * @param running how many jobs ran
     * @param waiting how many waited
     */
    record QueueDataBody(int running, int waiting) implements DataBody {}

    /**
     * A budget as it stood.
     *
     * @param project whose
     * @param percent the share of it that had been reached: 80 or 100
     * @param granted what there was to spend
     * @param taken what was held and charged of it
     */
    record BudgetDataBody(String project, int percent, AmountBody granted, AmountBody taken) implements DataBody {}

    static EventBody of(RecordedEvent recorded) {
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
                    case ReservationEvent(var type, var after, var _, var move, var refused) ->
                        of(type, after, move, refused);
                    case ClusterEvent(var after, var _) ->
                        new ClusterDataBody(after.version(), after.pes(), after.admission());
                    case OutageEvent(var _, var after, var _) -> of(after);
                    case JobEvent(var _, var after, var _) -> of(after);
                    case JobsEvent _ ->
                        throw new IllegalStateException("A queue is recorded by its size, not as a whole.");
                    case RequestEvent(var _, var after, var _) ->
                        new RequestDataBody(
                                AnyState.of(ReservationState.of(after.state())),
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
            case ReservationEvent(var _, var after, var _, var _, var _) -> Optional.of(after.id());
            case RequestEvent(var _, var after, var _) -> Optional.of(after.id());
            default -> Optional.empty();
        };
    }

    /** As the contract writes it, such as {@code outage-recorded}. */
    public static String word(Event.Type type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static OutageDataBody of(Outage outage) {
        return new OutageDataBody(
                outage.id().value(),
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)),
                Texts.instant(outage.from()),
                Texts.instant(outage.to()),
                Texts.orNull(outage.source()),
                Texts.instant(outage.endedAt()));
    }

    private static JobDataBody of(BatchJob job) {
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
                Texts.orNull(job.run().map(Run::peIds).map(PeSet::toString)));
    }

    private static ReservationDataBody of(
            Event.Type type, Reservation reservation, Optional<Move> move, Optional<RefusalCode> refused) {
        boolean isAnnounced = type == Event.Type.STARTING || type == Event.Type.ENDING;
        var status = reservation.status();
        return new ReservationDataBody(
                AnyState.of(reservation.state()),
                Texts.orNull(status.reason().map(EndReason::name)),
                TermsBody.of(reservation.terms()),
                ReservationBody.placement(reservation),
                Texts.instant(reservation.placement().fixesAt()),
                Texts.instant(status.holdExpiresAt()),
                Texts.instant(status.claimBy()),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                Texts.orNull(move.map(moved ->
                        new MoveBody(PartBody.of(moved.from()), PartBody.of(reservation.parts()), moved.why()))),
                Texts.orNull(reservation.proposal().map(EventBody::of)),
                Texts.orNull(reservation
                        .enforcement()
                        .of(reservation.currentPart())
                        .map(told -> new EnforcedDataBody(
                                told.state(),
                                Texts.orNull(told.handle()),
                                Texts.orNull(told.nodes()),
                                Texts.orNull(told.detail())))),
                isAnnounced
                        ? reservation.leadsJustTold().stream()
                                .map(Texts::duration)
                                .toList()
                        : null,
                Texts.orNull(refused.map(RefusalCode::word)));
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
