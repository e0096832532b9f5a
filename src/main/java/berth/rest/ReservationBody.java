package berth.rest;

import berth.availability.PeSet;
import berth.broker.Mirror;
import berth.cluster.EnforcementRule;
import berth.cluster.Nodes;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.EnforcementState;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.Status;
import berth.reservation.Status.Flag;
import berth.scheduling.AcceptProposal;
import berth.scheduling.ClusterSchedule;
import berth.sla.QosScenario;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reservation, or the request for one that is collected or waits for room: as long as it is not granted it has no place and no price.
 *
 * @param id made by the service
 * @param name the client's own label
 * @param project what the client files it under
 * @param owner the account that reserved it
 * @param users who may run jobs in it, by their names on the machine; none: the owner
 * @param series of which it is an occurrence; null if it stands alone
 * @param occurrence its day in the series' time zone, by which it is known there; null if it stands alone
 * @param cluster where it runs; null of a request that names none, and is not decided yet or never was granted
 * @param state where it stands in its life
 * @param reason why it ended, where neither its end nor its owner says so; of one that was rejected in its round the code of the
 *     refusal
 * @param scenario what the client left open; null of a request
 * @param terms what was agreed; of a request what is asked for
 * @param placement where it lies in time, and on which PEs; null of a request
 * @param movable whether anything can still give it another time or shape: false once its place is final, and where its terms
 *     leave no other; other PEs at the same time do not count, which an outage may give it where PEs are bound early
 * @param fixedAt from when on its place is final; it may lie ahead; null of a request
 * @param holdExpiresAt when the hold ends; only of one that is held
 * @param waitUntil until when it waits where there is no room; only of a request that asked for it
 * @param rank which one it is of those that wait for room on its cluster, from 1, the next to be tried; null unless it waits
 * @param claimBy until when it must be claimed; null where the cluster did not ask for it, and once it is claimed or over
 * @param price what it owes as things stand; null of a request
 * @param credit what it is credited for a breach
 * @param proposal what the provider offers and may still be accepted; null if there is nothing
 * @param enforcement how far the part that runs, or comes next, is in place on the machine; null where no agent puts it there
 * @param flags what is out of the ordinary about it
 * @param tried what was tried before, in order; only where no cluster was named
 * @param createdAt when it was accepted; of a request when it came
 * @param mirrored how it is known here; null unless it lies at another Berth
 * @param updatedAt when it last changed
 * @param version how often it has changed; its entity tag
 */
record ReservationBody(
        UUID id,
        @Nullable String name,
        @Nullable String project,
        String owner,
        List<String> users,
        @Nullable UUID series,
        @Nullable String occurrence,
        @Nullable String cluster,
        ReservationState state,
        @Nullable String reason,
        @Nullable QosScenario scenario,
        TermsBody terms,
        @Nullable PlacementBody placement,
        boolean movable,
        @Nullable Instant fixedAt,
        @Nullable Instant holdExpiresAt,
        @Nullable Instant waitUntil,
        @Nullable Integer rank,
        @Nullable Instant claimBy,
        @Nullable MoneyBody price,
        @Nullable MoneyBody credit,
        @Nullable OpenProposalBody proposal,
        @Nullable EnforcedBody enforcement,
        List<String> flags,
        List<TriedBody> tried,
        Instant createdAt,
        @Nullable MirroredBody mirrored,
        Instant updatedAt,
        int version) {

    /**
     * What is known of a reservation at another Berth.
     *
     * @param heardAt when that last told how it is
     * @param reachable whether it answered when it was last asked
     * @param owed what it is still to be told
     */
    record MirroredBody(Instant heardAt, boolean reachable, Mirror.Owed owed) {}

    /**
     * How far a reservation is in place on the machine.
     *
     * @param state how far
     * @param handle its name there, such as for {@code sbatch --reservation=}
     * @param nodes where it lies, in the machine's words
     * @param detail why it is not in place
     * @param since when the agent first told so; null: it has told nothing yet
     * @param heardAt when the agent of the cluster told anything last; null: not since this process decides
     */
    @Schema(name = "ReservationEnforcement")
    record EnforcedBody(
            EnforcementState state,
            @Nullable String handle,
            @Nullable String nodes,
            @Nullable String detail,
            @Nullable Instant since,
            @Nullable Instant heardAt) {}

    /** One at another Berth: as that told, under the names that it has here. */
    static ReservationBody of(Mirror mirror) {
        var told = RemoteAnswers.read(mirror.answer(), ReservationBody.class);
        var origin = mirror.origin();
        return new ReservationBody(
                mirror.id().value(),
                Texts.orNull(origin.name()),
                Texts.orNull(origin.project()),
                origin.owner().value(),
                Objects.requireNonNullElse(told.users, List.of()),
                null,
                null,
                mirror.cluster().value(),
                ReservationState.of(mirror.state()),
                told.reason,
                told.scenario,
                told.terms,
                told.placement,
                told.movable,
                told.fixedAt,
                told.holdExpiresAt,
                null,
                null,
                told.claimBy,
                told.price,
                told.credit,
                told.proposal,
                told.enforcement,
                flags(Objects.requireNonNullElse(told.flags, List.of()), mirror),
                origin.tried().stream().map(TriedBody::of).toList(),
                told.createdAt,
                new MirroredBody(Texts.instant(mirror.heardAt()), mirror.isReachable(), mirror.owed()),
                told.updatedAt,
                told.version);
    }

    /**
     * A place in the schedule.
     *
     * @param start since when
     * @param end until when
     * @param pes how many PEs; of a run in parts the most at one time
     * @param peIds which, by their numbers; null until that is settled, and of a run in parts
     * @param nodes of these PEs, as Slurm writes them; left out where they have no names, and of events
     * @param parts what of it lies where; one part of a run that is not split
     */
    record PlacementBody(
            Instant start,
            Instant end,
            int pes,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes,

            List<PartBody> parts) {}

    /**
     * Other terms that the owner may accept.
     *
     * @param number for the answer
     * @param by the administrator who offers them
     * @param terms what is offered
     * @param incentive what accepting takes off the price
     * @param expiresAt until when they can be accepted
     * @param price what the reservation owes once they are accepted; null where its run would be placed anew for them
     */
    @Schema(name = "OpenProposal")
    record OpenProposalBody(
            int number,
            String by,
            TermsBody terms,
            MoneyBody incentive,
            Instant expiresAt,
            @Nullable MoneyBody price) {}

    /**
     * A reservation as it is recorded.
     *
     * @param schedule of its cluster, for what depends on that
     * @param heardAt when the agent of the cluster was heard of last; null: not at all
     * @param now for what depends on the time, seconds since the epoch
     */
    static ReservationBody of(Reservation reservation, ClusterSchedule schedule, @Nullable Instant heardAt, long now) {
        var status = reservation.status();
        return new ReservationBody(
                reservation.id().value(),
                Texts.orNull(reservation.origin().name()),
                Texts.orNull(reservation.origin().project()),
                reservation.origin().owner().value(),
                reservation.origin().users(),
                series(reservation.origin()),
                occurrence(reservation.origin()),
                reservation.cluster().value(),
                ReservationState.of(reservation.state()),
                Texts.orNull(status.reason().map(EndReason::name)),
                reservation.terms().scenario(),
                TermsBody.of(reservation.terms()),
                placement(reservation, schedule.cluster().nodes()),
                schedule.canMove(reservation, now),
                Texts.instant(reservation.placement().fixesAt()),
                Texts.instant(status.holdExpiresAt()),
                null,
                null,
                Texts.instant(status.claimBy()),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                Texts.orNull(AcceptProposal.open(schedule, reservation, now)
                        .map(proposal -> new OpenProposalBody(
                                proposal.number(),
                                proposal.by().value(),
                                TermsBody.of(proposal.terms()),
                                MoneyBody.of(proposal.incentive()),
                                Texts.instant(proposal.expiresAt()),
                                Texts.orNull(AcceptProposal.priceInPlace(schedule, reservation, proposal, now)
                                        .map(MoneyBody::of))))),
                enforcement(reservation, schedule.cluster().policy().enforcement(), heardAt),
                flags(status),
                reservation.origin().tried().stream().map(TriedBody::of).toList(),
                Texts.instant(status.createdAt()),
                null,
                Texts.instant(status.updatedAt()),
                status.version());
    }

    private static @Nullable EnforcedBody enforcement(
            Reservation reservation, EnforcementRule rule, @Nullable Instant heardAt) {
        var told = reservation.enforcement().of(reservation.currentPart());
        boolean isAwaited = rule != EnforcementRule.NONE
                && (reservation.state() == berth.reservation.ReservationState.CONFIRMED
                        || reservation.state() == berth.reservation.ReservationState.RUNNING);
        return told.map(each -> new EnforcedBody(
                        each.state(),
                        Texts.orNull(each.handle()),
                        Texts.orNull(each.nodes()),
                        Texts.orNull(each.detail()),
                        Texts.instant(each.since()),
                        heardAt))
                .orElse(isAwaited ? new EnforcedBody(EnforcementState.PENDING, null, null, null, null, heardAt) : null);
    }

    /**
     * A request that has not become a reservation.
     *
     * @param rank which one it is of those that wait for room; empty unless it waits
     */
    static ReservationBody of(IntakeRequest request, OptionalInt rank) {
        return new ReservationBody(
                request.id().value(),
                Texts.orNull(request.origin().name()),
                Texts.orNull(request.origin().project()),
                request.origin().owner().value(),
                request.origin().users(),
                series(request.origin()),
                occurrence(request.origin()),
                Texts.orNull(request.cluster().map(ClusterId::value)),
                ReservationState.of(request.state()),
                Texts.orNull(request.reason().map(RefusalCode::word)),
                null,
                TermsBody.of(request.terms()),
                null,
                false,
                null,
                null,
                Texts.instant(request.waitUntil()),
                rank.isPresent() ? rank.getAsInt() : null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                Texts.instant(request.arrivedAt()),
                null,
                Texts.instant(request.endedAt().orElse(request.arrivedAt())),
                request.version());
    }

    private static @Nullable UUID series(Origin origin) {
        return Texts.orNull(origin.occurrence().map(one -> one.series().value()));
    }

    private static @Nullable String occurrence(Origin origin) {
        return Texts.orNull(origin.occurrence().map(one -> one.date().toString()));
    }

    /** Which reservations belong together is known here alone. */
    private static List<String> flags(List<String> told, Mirror mirror) {
        return mirror.isDegraded()
                ? Stream.concat(told.stream(), Stream.of(word(Flag.DEGRADED))).toList()
                : told;
    }

    private static List<String> flags(Status status) {
        return status.flags().stream().sorted().map(ReservationBody::word).toList();
    }

    private static String word(Flag flag) {
        return flag.name().toLowerCase(Locale.ROOT);
    }

    /** Without the names of its nodes. */
    static PlacementBody placement(Reservation reservation) {
        return placement(reservation, Nodes.SINGLE_PES);
    }

    private static PlacementBody placement(Reservation reservation, Nodes nodes) {
        var slot = reservation.slot();
        return new PlacementBody(
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                reservation.placement().pes(),
                Texts.orNull(reservation.placement().peIds().map(PeSet::toString)),
                Texts.orNull(reservation.placement().peIds().flatMap(nodes::list)),
                PartBody.of(reservation.parts(), nodes));
    }
}
