package berth.booking.web;

import berth.availability.PeSet;
import berth.booking.terms.PartBody;
import berth.booking.terms.TermsBody;
import berth.cluster.EnforcementRule;
import berth.cluster.Nodes;
import berth.engine.Agents.Agent;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.reservation.Cause;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Enforcement.Report;
import berth.reservation.EnforcementState;
import berth.reservation.Origin;
import berth.reservation.Quantity;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.Returned;
import berth.reservation.Status.Flag;
import berth.scheduling.AcceptProposal;
import berth.scheduling.Cancel;
import berth.scheduling.ClusterSchedule;
import berth.sla.DeadlineSource;
import berth.sla.Part;
import berth.sla.QosScenario;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reservation, or the request for one that is collected or waits for room. A request has no place and no price until it is granted.
 *
 * @param id made by the service; null in a dry run of a request for a reservation
 * @param name the client's own label
 * @param project the project that the client files it under
 * @param owner the account that reserved it
 * @param users the users who may run jobs in it, by their names on the machine; if empty, only the owner may
 * @param series the series to which it belongs; null if it belongs to none
 * @param occurrence its day in the series' time zone, which identifies it in the series; null if it belongs to none
 * @param cluster the cluster on which it runs; null for a request without a cluster that has not been granted
 * @param state the current state
 * @param reason why it ended, unless its owner ended it or its time was over. For a request that was rejected in its round, the code of the
 *     rejection
 * @param nearestPlace the first time from its ready time on at which its PEs were free when it failed for lack of them before it began;
 *     null if there was none, if none was looked for, and otherwise
 * @param scenario what the client left open; null for a request
 * @param deadlineBy which rule set the deadline of the terms; null for a request
 * @param terms the agreed terms; for a request, the requested terms
 * @param placement its place in time, and its PEs; null for a request. A part has the PEs that are left now, without those in
 *     `losses`, if they have numbers
 * @param losses the PEs that it has lost since it began, and those that it will lack as far as is known; null if there are none
 * @param movable whether Berth can still give it another time or shape for others. False once its place is final, once it has been moved
 *     as often as agreed, and if its terms allow no other place. It can still get other PEs at the same time if the cluster binds PEs early
 * @param moves how often Berth has moved it, and how often and how far it may still move it for others; null for a request
 * @param fixedAt when its place becomes or became final; null for a request. With `fixAfter`, no move makes it later; otherwise a move to
 *     a later start does
 * @param holdExpiresAt when the hold ends; null unless it is held
 * @param waitUntil the time until which it waits for room; only for a request that asked for it
 * @param rank its position among the requests that wait for room on its cluster: 1 is tried next. Null unless it waits
 * @param claimBy when it must be claimed at the latest; null if the cluster requires no claim, and once it is claimed or over
 * @param price what it currently owes; null for a request
 * @param owesAtLeast what it owes at least, even if it is cancelled, because its owner changed it when a cancellation was late; null if
 *     the owner did not
 * @param freeCancellationUntil until when its owner can cancel it for nothing. Null if that costs nothing until its start, or something in
 *     any case; also null once it has begun or ended. A move or other terms may change it
 * @param lateCancellationCharge what it owes if its owner cancels it later. If {@code freeCancellationUntil} is null, a cancellation costs
 *     at least {@code owesAtLeast} and at most this. Null if it costs nothing until its start, and once it has begun or ended
 * @param credit what the provider owes for a breach, or for PEs that the run lost
 * @param returnCredit what was taken off the price for PE-time that its owner returned while it ran; null if nothing was
 * @param returnCreditOpen what may still be taken off at most, once others have booked that PE-time and were charged for it; null if
 *     nothing can be
 * @param proposal the provider's proposal that the owner may accept; null if there is none
 * @param enforcement whether the running part, or else the next one, is in place on the machine; null if no agent manages the cluster
 * @param flags anything unusual about it; {@code degraded} while it runs without PEs that it lost, and if another part of its co-allocation
 *     has failed
 * @param tried the slots that Berth tried before, in order; only if the request named no cluster
 * @param createdAt when it was accepted; for a request, when it arrived
 * @param mirrored the state of Berth's copy of it; null unless it belongs to another Berth
 * @param updatedAt when it last changed
 * @param version rises with each change, and goes on rising when a request becomes a reservation; the first part of its entity tag
 */
public record ReservationBody(
        @Nullable UUID id,
        @Nullable String name,
        @Nullable String project,
        String owner,
        List<String> users,
        @Nullable UUID series,
        @Nullable String occurrence,
        @Nullable String cluster,
        ReservationOrRequestState state,
        @Nullable String reason,
        @Nullable NearestPlaceBody nearestPlace,
        @Nullable QosScenario scenario,
        @Nullable DeadlineSource deadlineBy,
        TermsBody terms,
        @Nullable PlacementBody placement,
        @Nullable LossesBody losses,
        boolean movable,
        @Nullable MovesBody moves,
        @Nullable Instant fixedAt,
        @Nullable Instant holdExpiresAt,
        @Nullable Instant waitUntil,
        @Nullable Integer rank,
        @Nullable Instant claimBy,
        @Nullable MoneyBody price,
        @Nullable MoneyBody owesAtLeast,
        @Nullable Instant freeCancellationUntil,
        @Nullable MoneyBody lateCancellationCharge,
        @Nullable MoneyBody credit,
        @Nullable MoneyBody returnCredit,
        @Nullable MoneyBody returnCreditOpen,
        @Nullable OpenProposalBody proposal,
        @Nullable EnforcedBody enforcement,
        List<String> flags,
        List<TriedBody> tried,
        Instant createdAt,
        @Nullable MirroredBody mirrored,
        Instant updatedAt,
        int version)
        implements ReservationOrDryRun {

    private static final Set<berth.reservation.ReservationState> CANCELLED_BEFORE_START =
            EnumSet.of(berth.reservation.ReservationState.HELD, berth.reservation.ReservationState.CONFIRMED);

    /**
     * Berth's copy of a reservation at another Berth.
     *
     * @param heardAt when the other Berth last reported the reservation's state
     * @param reachable whether the other Berth responded to the last call
     * @param owed what Berth still has to send to the other Berth
     */
    record MirroredBody(Instant heardAt, boolean reachable, Mirror.Owed owed) {}

    /**
     * Whether a reservation is in place on the machine.
     *
     * @param state how far the agent has come
     * @param handle its name on the machine, for example for {@code sbatch --reservation=}
     * @param nodes its nodes, as the machine names them
     * @param cause why it is not in place
     * @param detail the same in words
     * @param expectedAt when the agent puts it in place at the latest, so that jobs can be submitted for it from then on; null if it is in
     *     place, or if the agent has not reported how long before the start this is
     * @param since when the agent first reported this state; null if it has not reported yet
     * @param heardAt when the agent of the cluster last reported anything; null if it has not since this instance became active
     */
    @Schema(name = "ReservationEnforcement")
    record EnforcedBody(
            EnforcementState state,
            @Nullable String handle,
            @Nullable String nodes,
            @Nullable Cause cause,
            @Nullable String detail,
            @Nullable Instant expectedAt,
            @Nullable Instant since,
            @Nullable Instant heardAt) {}

    private static @Nullable MoneyBody returned(Reservation reservation, Function<Returned, Quantity> what) {
        return Texts.orNull(reservation
                .charge()
                .returned()
                .map(back -> what.apply(back).money())
                .filter(credit -> credit.amount().signum() > 0)
                .map(MoneyBody::of));
    }

    /** Returns the same body without an id. */
    ReservationBody withoutId() {
        return new ReservationBody(
                null,
                name,
                project,
                owner,
                users,
                series,
                occurrence,
                cluster,
                state,
                reason,
                nearestPlace,
                scenario,
                deadlineBy,
                terms,
                placement,
                losses,
                movable,
                moves,
                fixedAt,
                holdExpiresAt,
                waitUntil,
                rank,
                claimBy,
                price,
                owesAtLeast,
                freeCancellationUntil,
                lateCancellationCharge,
                credit,
                returnCredit,
                returnCreditOpen,
                proposal,
                enforcement,
                flags,
                tried,
                createdAt,
                mirrored,
                updatedAt,
                version);
    }

    /** Returns the body of a reservation at another Berth: its answer, with this Berth's id and names. */
    static ReservationBody of(Mirror mirror) {
        var remote = RemoteAnswers.read(mirror.answer(), ReservationBody.class);
        var origin = mirror.origin();
        return new ReservationBody(
                mirror.id().value(),
                Texts.orNull(origin.name()),
                Texts.orNull(origin.project()),
                origin.owner().value(),
                Objects.requireNonNullElse(remote.users, List.of()),
                null,
                null,
                mirror.cluster().value(),
                ReservationOrRequestState.of(mirror.state()),
                remote.reason,
                remote.nearestPlace,
                remote.scenario,
                remote.deadlineBy,
                remote.terms,
                remote.placement,
                remote.losses,
                remote.movable,
                remote.moves,
                remote.fixedAt,
                remote.holdExpiresAt,
                null,
                null,
                remote.claimBy,
                remote.price,
                remote.owesAtLeast,
                remote.freeCancellationUntil,
                remote.lateCancellationCharge,
                remote.credit,
                remote.returnCredit,
                remote.returnCreditOpen,
                remote.proposal,
                remote.enforcement,
                flags(Objects.requireNonNullElse(remote.flags, List.of()), mirror),
                origin.tried().stream().map(TriedBody::of).toList(),
                remote.createdAt,
                new MirroredBody(Texts.instant(mirror.heardAt()), mirror.isReachable(), mirror.owed()),
                remote.updatedAt,
                mirror.version());
    }

    /**
     * A place in the schedule.
     *
     * @param start when it begins
     * @param end when it ends
     * @param runTime how long the run has PEs: the duration that the terms give its number of PEs, divided by the rating of the cluster; for
     *     a run in several parts, the sum of their lengths
     * @param pes the number of PEs; for a run in several parts, the largest number at one time
     * @param peIds the numbers of these PEs; null until they are settled, and for a run in several parts
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names, and in events
     * @param parts the parts of the run; a run that is not split has one part
     */
    public record PlacementBody(
            Instant start,
            Instant end,
            String runTime,
            int pes,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes,

            List<PartBody> parts) {

        /** Computes the run time if another Berth does not report it. */
        public PlacementBody {
            runTime = Objects.requireNonNullElseGet(runTime, () -> PartBody.runTime(parts, start, end));
        }
    }

    /**
     * The nearest place that fitted when a reservation failed. Nobody keeps it free.
     *
     * @param start start of the place
     * @param end end of the place
     */
    @Schema(name = "NearestPlace")
    public record NearestPlaceBody(Instant start, Instant end) {}

    /**
     * The PEs that a run has lost since it began, and those that it will lose as far as is known. The run goes on with the others.
     *
     * @param peSeconds the PE-seconds that it lost before {@code since}
     * @param since when it last lost PEs, got others or was told of a loss
     * @param lacks the PEs that it lacks from {@code since} on, in order of time: those that it lacks now, and those that it will lose.
     *     Empty once it is over
     * @param taken the PEs that jobs of others had while it ran; null if there were none
     */
    @Schema(name = "Losses")
    public record LossesBody(
            long peSeconds,
            Instant since,
            List<PartBody> lacks,
            @Nullable TakenBody taken) {}

    /**
     * The PEs of a run that jobs of others had on the machine, as the agent reported. Their PE-time is not owed. They stay the run's, and
     * {@code enforcement} says which jobs have them.
     *
     * @param peSeconds the PE-seconds that they had before {@code since}
     * @param since when the agent last reported that other PEs are taken
     * @param until when the report stops counting unless the agent repeats it; null if no PEs are taken now
     * @param peIds the PEs that they have from {@code since} on; null if they have none, and once the run is over
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names, and in events
     */
    @Schema(name = "TakenPes")
    record TakenBody(
            long peSeconds,
            Instant since,
            @Nullable Instant until,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes) {}

    /**
     * Other terms that the owner may accept.
     *
     * @param number identifies the proposal in the owner's answer
     * @param by the administrator who made the proposal
     * @param terms the proposed terms
     * @param incentive the amount that accepting takes off the price
     * @param expiresAt the time until which the owner can accept
     * @param price what the reservation owes if the owner accepts; null if the run would be placed anew
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
     * Returns the body of a reservation of this Berth.
     *
     * @param schedule the schedule of its cluster
     * @param agent the agent of its cluster
     * @param now the current time, in seconds since the epoch
     */
    static ReservationBody of(Reservation reservation, ClusterSchedule schedule, Optional<Agent> agent, long now) {
        var status = reservation.status();
        boolean canMove = schedule.canMove(reservation, now);
        var due = CANCELLED_BEFORE_START.contains(reservation.state())
                ? Optional.of(Cancel.due(reservation, schedule))
                : Optional.<Cancel.Due>empty();
        return new ReservationBody(
                reservation.id().value(),
                Texts.orNull(reservation.origin().name()),
                Texts.orNull(reservation.origin().project()),
                reservation.origin().owner().value(),
                reservation.origin().users(),
                series(reservation.origin()),
                occurrence(reservation.origin()),
                reservation.cluster().value(),
                ReservationOrRequestState.of(reservation.state()),
                Texts.orNull(status.reason().map(EndReason::name)),
                nearestPlace(reservation),
                reservation.terms().scenario(),
                reservation.terms().deadlineBy(),
                TermsBody.of(reservation.terms()),
                placement(reservation, schedule.cluster().nodes()),
                losses(reservation, schedule.cluster().nodes()),
                canMove,
                MovesBody.of(reservation, canMove),
                Texts.instant(reservation.placement().fixesAt()),
                Texts.instant(status.holdExpiresAt()),
                null,
                null,
                Texts.instant(status.claimBy()),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().least().map(Quantity::money).map(MoneyBody::of)),
                Texts.instant(due.map(Cancel.Due::freeUntil).orElse(OptionalLong.empty())),
                Texts.orNull(due.map(Cancel.Due::late)
                        .filter(late -> late.amount().signum() > 0)
                        .map(MoneyBody::of)),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                returned(reservation, Returned::credited),
                returned(reservation, Returned::rest),
                Texts.orNull(AcceptProposal.open(schedule, reservation, now)
                        .map(proposal -> new OpenProposalBody(
                                proposal.number(),
                                proposal.by().value(),
                                TermsBody.of(proposal.terms()),
                                MoneyBody.of(proposal.incentive()),
                                Texts.instant(proposal.expiresAt()),
                                Texts.orNull(AcceptProposal.priceInPlace(schedule, reservation, proposal, now)
                                        .map(MoneyBody::of))))),
                enforcement(reservation, schedule.cluster().policy().enforcement(), agent),
                flags(reservation),
                reservation.origin().tried().stream().map(TriedBody::of).toList(),
                Texts.instant(status.createdAt()),
                null,
                Texts.instant(status.updatedAt()),
                reservation.version());
    }

    private static @Nullable EnforcedBody enforcement(
            Reservation reservation, EnforcementRule rule, Optional<Agent> agent) {
        var report = reservation.enforcement().of(reservation.currentPart());
        boolean isAwaited = rule != EnforcementRule.NONE
                && (reservation.state() == berth.reservation.ReservationState.CONFIRMED
                        || reservation.state() == berth.reservation.ReservationState.RUNNING);
        if (report.isEmpty() && !isAwaited) {
            return null;
        }
        var state = report.map(Report::state).orElse(EnforcementState.PENDING);
        var start = reservation.parts().get(reservation.currentPart()).slot().start();
        var expectedAt = agent.map(Agent::ahead)
                .filter(ahead -> ahead.isPresent() && isAwaited && state == EnforcementState.PENDING)
                .filter(_ -> reservation.hasSomeOf(reservation.currentPart()))
                .map(ahead -> Texts.instant(start - ahead.getAsLong()));
        return new EnforcedBody(
                state,
                Texts.orNull(report.flatMap(Report::handle)),
                Texts.orNull(report.flatMap(Report::nodes)),
                Texts.orNull(report.flatMap(Report::cause)),
                Texts.orNull(report.flatMap(Report::detail)),
                Texts.orNull(expectedAt),
                Texts.orNull(report.map(Report::since).map(Texts::instant)),
                Texts.orNull(agent.map(Agent::heardAt).map(Texts::instant)));
    }

    /**
     * Returns the body of a request that has not become a reservation.
     *
     * @param rank its position among the requests that wait for room; empty unless it waits
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
                ReservationOrRequestState.of(request.state()),
                Texts.orNull(request.reason().map(RefusalCode::word)),
                null,
                null,
                null,
                TermsBody.of(request.terms()),
                null,
                null,
                false,
                null,
                null,
                null,
                Texts.instant(request.waitUntil()),
                rank.isPresent() ? rank.getAsInt() : null,
                null,
                null,
                null,
                null,
                null,
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

    /** Returns the flags of the other Berth, and adds DEGRADED, because only this Berth knows which reservations belong together. */
    private static List<String> flags(List<String> remote, Mirror mirror) {
        return mirror.isDegraded()
                ? Stream.concat(remote.stream(), Stream.of(word(Flag.DEGRADED)))
                        .distinct()
                        .toList()
                : remote;
    }

    private static List<String> flags(Reservation reservation) {
        var own = reservation.status().flags().stream();
        return (reservation.lacksPes() ? Stream.concat(own, Stream.of(Flag.DEGRADED)) : own)
                .distinct()
                .sorted()
                .map(ReservationBody::word)
                .toList();
    }

    private static String word(Flag flag) {
        return flag.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the placement without the names of its nodes. */
    public static PlacementBody placement(Reservation reservation) {
        return placement(reservation, Nodes.SINGLE_PES);
    }

    private static PlacementBody placement(Reservation reservation, Nodes nodes) {
        var slot = reservation.slot();
        var parts = reservation.placement().partsNow();
        var peIds = parts.size() == 1 ? parts.getFirst().peIds() : Optional.<PeSet>empty();
        return new PlacementBody(
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                Texts.duration(
                        parts.stream().mapToLong(part -> part.slot().duration()).sum()),
                parts.stream().mapToInt(Part::pes).max().orElseThrow(),
                Texts.orNull(peIds.map(PeSet::toString)),
                Texts.orNull(peIds.flatMap(nodes::list)),
                PartBody.of(parts, nodes));
    }

    /** Returns the time at which it would have fitted when it failed; null if none is known. */
    public static @Nullable NearestPlaceBody nearestPlace(Reservation reservation) {
        return Texts.orNull(reservation
                .status()
                .nearestPlace()
                .map(slot -> new NearestPlaceBody(Texts.instant(slot.start()), Texts.instant(slot.end()))));
    }

    /** Returns the losses without the names of the nodes. */
    public static @Nullable LossesBody losses(Reservation reservation) {
        return losses(reservation, Nodes.SINGLE_PES);
    }

    private static @Nullable LossesBody losses(Reservation reservation, Nodes nodes) {
        var losses = reservation.placement().losses();
        var lacks = reservation.state().isLive() ? losses.lacks() : List.<Part>of();
        boolean areNone = losses.lost() == 0 && lacks.isEmpty();
        var taken = taken(reservation, nodes);
        return areNone && taken == null
                ? null
                : new LossesBody(
                        losses.lost(),
                        areNone ? Objects.requireNonNull(taken).since() : Texts.instant(losses.since()),
                        PartBody.of(lacks, nodes),
                        taken);
    }

    private static @Nullable TakenBody taken(Reservation reservation, Nodes nodes) {
        var taken = reservation.enforcement().taken();
        var now = Optional.of(taken.now())
                .filter(pes -> !pes.isEmpty() && reservation.state().isLive());
        return taken.lost() == 0 && now.isEmpty()
                ? null
                : new TakenBody(
                        taken.lost(),
                        Texts.instant(taken.since()),
                        now.isPresent() ? Texts.instant(taken.until()) : null,
                        Texts.orNull(now.map(PeSet::toString)),
                        Texts.orNull(now.flatMap(nodes::list)));
    }
}
