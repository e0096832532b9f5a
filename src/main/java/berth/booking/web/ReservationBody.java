package berth.booking.web;

import berth.booking.terms.TermsBody;
import berth.engine.Agents.Agent;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.Reservation;
import berth.reservation.Status.Flag;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.commands.AcceptProposal;
import berth.sla.DeadlineSource;
import berth.sla.QosScenario;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reservation, or the request for one that is collected or waits for room. A request has no place and no price until it is granted.
 *
 * @param id made by the service; null in a dry run of a request for a reservation
 * @param proposal the provider's proposal that the owner may accept; null if there is none
 * @param approval the approval that it needs, or needed before it was confirmed; null if it needed none
 * @param enforcement whether the running part, or else the next one, is in place on the machine; null if no agent manages the cluster
 */
public record ReservationBody(
        @Nullable UUID id,
        @JsonUnwrapped FiledBody filed,
        @JsonUnwrapped StandingBody standing,
        @JsonUnwrapped PlaceBody place,
        @JsonUnwrapped DueBody due,
        @JsonUnwrapped AmountsBody amounts,
        @Nullable OpenProposalBody proposal,
        @Nullable ApprovalBody approval,
        @Nullable EnforcedBody enforcement,
        @JsonUnwrapped HistoryBody history)
        implements ReservationOrDryRun {

    /**
     * Who asked for it, and where it belongs.
     *
     * @param owner the account that reserved it
     * @param users the users who may run jobs in it, by their names on the machine; if empty, only the owner may
     * @param series the series to which it belongs; null if it belongs to none
     * @param occurrence its day in the series' time zone, which identifies it in the series; null if it belongs to none
     * @param assignment who requested it for its owner, or handed it over to its owner; null if its owner requested it
     */
    record FiledBody(
            @JsonUnwrapped ClientLabels labels,
            String owner,
            List<String> users,
            @Nullable UUID series,
            @Nullable String occurrence,
            @Nullable AssignmentBody assignment) {

        private static FiledBody of(Origin origin) {
            return of(origin, origin.users());
        }

        private static FiledBody of(Origin origin, List<String> users) {
            return new FiledBody(
                    origin.labels(),
                    origin.owner().value(),
                    users,
                    Texts.orNull(origin.occurrence().map(one -> one.series().value())),
                    Texts.orNull(origin.occurrence().map(one -> one.date().toString())),
                    AssignmentBody.of(origin));
        }
    }

    /**
     * Where it is, in what state, and on what terms.
     *
     * @param cluster the cluster on which it runs; null for a request without a cluster that has not been granted
     * @param state the current state
     * @param reason why it ended, unless its owner ended it or its time was over. For a request that was rejected in its round, the code of the
     *     rejection
     * @param nearestPlace the first time from its ready time on at which its PEs were free when it failed for lack of them before it began;
     *     null if there was none, if none was looked for, and otherwise
     * @param scenario what the client left open; null for a request
     * @param deadlineBy which rule set the deadline of the terms; null for a request
     * @param terms the agreed terms; for a request, the requested terms
     */
    record StandingBody(
            @Nullable String cluster,
            ReservationOrRequestState state,
            @Nullable String reason,
            @Nullable NearestPlaceBody nearestPlace,
            @Nullable QosScenario scenario,
            @Nullable DeadlineSource deadlineBy,
            TermsBody terms) {}

    /**
     * The times at which it ends unless something happens, and its turn if it waits.
     *
     * @param holdExpiresAt when the hold ends; null unless it is held
     * @param waitUntil the time until which it waits for room; only for a request that asked for it
     * @param rank its position among the requests that wait for room on its cluster: 1 is tried next. Null unless it waits
     * @param claimBy when it must be claimed at the latest; null if the cluster requires no claim, and once it is claimed or over
     */
    record DueBody(
            @Nullable Instant holdExpiresAt,
            @Nullable Instant waitUntil,
            @Nullable Integer rank,
            @Nullable Instant claimBy) {}

    /**
     * What has happened to it.
     *
     * @param flags anything unusual about it; {@code degraded} while it runs without PEs that it lost, and if another part of its co-allocation
     *     has failed
     * @param tried the slots that Berth tried before, in order; only if the request named no cluster
     * @param createdAt when it was accepted; for a request, when it arrived
     * @param mirrored the state of Berth's copy of it; null unless it belongs to another Berth
     * @param updatedAt when it last changed
     * @param version rises with each change, and goes on rising when a request becomes a reservation; the first part of its entity tag
     */
    record HistoryBody(
            List<String> flags,
            List<TriedBody> tried,
            Instant createdAt,
            @Nullable MirroredBody mirrored,
            Instant updatedAt,
            int version) {}

    /**
     * Berth's copy of a reservation at another Berth.
     *
     * @param heardAt when the other Berth last reported the reservation's state
     * @param reachable whether the other Berth responded to the last call
     * @param owed what Berth still has to send to the other Berth
     */
    record MirroredBody(Instant heardAt, boolean reachable, Mirror.Owed owed) {}

    /** Returns the version that the entity tag shows. */
    public int version() {
        return history.version;
    }

    /** Returns the same body without an id. */
    ReservationBody withoutId() {
        return new ReservationBody(
                null, filed, standing, place, due, amounts, proposal, approval, enforcement, history);
    }

    /** Returns the body of a reservation at another Berth: its answer, with this Berth's id and names. */
    static ReservationBody of(Mirror mirror) {
        var remote = RemoteAnswers.read(mirror.last().answer(), ReservationBody.class);
        return new ReservationBody(
                mirror.id().value(),
                FiledBody.of(mirror.origin(), Objects.requireNonNullElse(remote.filed.users, List.of())),
                new StandingBody(
                        mirror.cluster().value(),
                        ReservationOrRequestState.of(mirror.state()),
                        remote.standing.reason,
                        remote.standing.nearestPlace,
                        remote.standing.scenario,
                        remote.standing.deadlineBy,
                        remote.standing.terms),
                remote.place,
                new DueBody(remote.due.holdExpiresAt, null, null, remote.due.claimBy),
                remote.amounts,
                remote.proposal,
                remote.approval,
                remote.enforcement,
                new HistoryBody(
                        flags(Objects.requireNonNullElse(remote.history.flags, List.of()), mirror),
                        tried(mirror.origin()),
                        remote.history.createdAt,
                        new MirroredBody(
                                Texts.instant(mirror.last().heardAt()),
                                mirror.last().isReachable(),
                                mirror.owed()),
                        remote.history.updatedAt,
                        mirror.version()));
    }

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
        return new ReservationBody(
                reservation.id().value(),
                FiledBody.of(reservation.origin()),
                new StandingBody(
                        reservation.cluster().value(),
                        ReservationOrRequestState.of(reservation.state()),
                        Texts.orNull(status.reason().map(EndReason::name)),
                        nearestPlace(reservation),
                        reservation.terms().scenario(),
                        reservation.terms().deadlineBy(),
                        TermsBody.of(reservation.terms())),
                PlaceBody.of(reservation, schedule, now),
                new DueBody(Texts.instant(status.holdExpiresAt()), null, null, Texts.instant(status.claimBy())),
                AmountsBody.of(reservation, schedule),
                Texts.orNull(AcceptProposal.open(schedule, reservation, now)
                        .map(proposal -> new OpenProposalBody(
                                proposal.number(),
                                proposal.by().value(),
                                TermsBody.of(proposal.terms()),
                                MoneyBody.of(proposal.incentive()),
                                Texts.instant(proposal.expiresAt()),
                                Texts.orNull(AcceptProposal.priceInPlace(schedule, reservation, proposal, now)
                                        .map(MoneyBody::of))))),
                Texts.orNull(status.approval().map(ApprovalBody::of)),
                EnforcedBody.of(reservation, schedule.cluster().policy().enforcement(), agent),
                new HistoryBody(
                        flags(reservation),
                        tried(reservation.origin()),
                        Texts.instant(status.createdAt()),
                        null,
                        Texts.instant(status.updatedAt()),
                        reservation.version()));
    }

    /**
     * Returns the body of a request that has not become a reservation.
     *
     * @param rank its position among the requests that wait for room; empty unless it waits
     */
    static ReservationBody of(IntakeRequest request, OptionalInt rank) {
        return new ReservationBody(
                request.id().value(),
                FiledBody.of(request.origin()),
                new StandingBody(
                        Texts.orNull(request.cluster().map(ClusterId::value)),
                        ReservationOrRequestState.of(request.state()),
                        Texts.orNull(request.reason().map(RefusalCode::word)),
                        null,
                        null,
                        null,
                        TermsBody.of(request.terms())),
                PlaceBody.NONE,
                new DueBody(null, Texts.instant(request.waitUntil()), rank.isPresent() ? rank.getAsInt() : null, null),
                AmountsBody.NOTHING,
                null,
                null,
                null,
                new HistoryBody(
                        List.of(),
                        List.of(),
                        Texts.instant(request.arrivedAt()),
                        null,
                        Texts.instant(request.endedAt().orElse(request.arrivedAt())),
                        request.version()));
    }

    private static List<TriedBody> tried(Origin origin) {
        return origin.tried().stream().map(TriedBody::of).toList();
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

    /**
     * The nearest place that fitted when a reservation failed. Nobody keeps it free.
     *
     * @param start start of the place
     * @param end end of the place
     */
    @Schema(name = "NearestPlace")
    public record NearestPlaceBody(Instant start, Instant end) {}

    /** Returns the time at which it would have fitted when it failed; null if none is known. */
    public static @Nullable NearestPlaceBody nearestPlace(Reservation reservation) {
        return Texts.orNull(reservation
                .status()
                .nearestPlace()
                .map(slot -> new NearestPlaceBody(Texts.instant(slot.start()), Texts.instant(slot.end()))));
    }
}
