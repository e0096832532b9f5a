package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.broker.Booked;
import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.KeyUse;
import berth.desk.Keys;
import berth.desk.Records;
import berth.desk.Records.FirstResult.Stands;
import berth.desk.Records.Renegotiation;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.rest.Remedies.Wanted;
import berth.scheduling.AcceptProposal;
import berth.scheduling.Allowance;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.DeclineProposal;
import berth.scheduling.Event;
import berth.scheduling.Propose;
import berth.scheduling.Rejection;
import berth.scheduling.Renegotiate;
import berth.scheduling.Target;
import berth.security.Account;
import berth.sla.AccountLimits;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Changes of what was agreed. */
@RestController
@RequestMapping("/api/v1/reservations/{id}/renegotiations")
class RenegotiationsController {

    /** How often a change is made anew of a reservation that others change at the same time. */
    private static final int ATTEMPTS = 5;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final Desks desks;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final ReservationBodies bodies;
    private final MergePatch mergePatch;
    private final JsonMapper mapper;
    private final Remedies remedies;
    private final IdempotencyKeys keys;
    private final InstantSource clock;

    RenegotiationsController(
            Desks desks,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            ReservationBodies bodies,
            MergePatch mergePatch,
            JsonMapper mapper,
            Remedies remedies,
            IdempotencyKeys keys,
            InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.bodies = bodies;
        this.mergePatch = mergePatch;
        this.mapper = mapper;
        this.remedies = remedies;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * A request for other terms.
     *
     * @param terms what is to change: a part of the terms, as a merge patch; null takes away what may be left out
     * @param dryRun whether only to say what would be agreed, or proposed
     * @param incentive what the owner gets off the price for accepting; only of a proposal, which an administrator makes
     * @param expiresAt until when the owner may accept; only of a proposal
     */
    @Schema(example = "{\"terms\":{\"duration\":\"PT3H\"},\"dryRun\":true}")
    record RenegotiateBody(
            @Required @Patches(TermsBody.class) @Nullable JsonNode terms,
            @Nullable Boolean dryRun,
            @Nullable MoneyBody incentive,
            @Nullable String expiresAt) {}

    /** The terms of a reservation, and a patch to them, where the client knows them: in the field of that name. */
    record TermsOnly(@Nullable TermsBody terms) {}

    /** How a renegotiation ended, or where it stands. */
    enum Outcome {
        /** The owner wanted other terms, which hold. */
        AGREED,
        /** The provider has offered other terms, and the owner has not answered yet. */
        PROPOSED,
        /** The owner has accepted what the provider offered: these terms hold. */
        ACCEPTED,
        /** The owner has declined what the provider offered. */
        DECLINED,
        /** What the provider offered was not answered in time, or other terms were agreed, or the reservation began or ended. */
        EXPIRED
    }

    /**
     * A renegotiation.
     *
     * @param number the version of the reservation that it led to; null for a dry run, and if nothing has changed
     * @param outcome how it ended, or where it stands
     * @param by the account that wanted other terms: the owner, or the administrator who proposed them
     * @param at when
     * @param answeredAt when the owner accepted or declined; null for what the owner wanted, and while there is no answer
     * @param terms what was agreed or offered
     * @param incentive what accepting was to take off the price; null if it was the owner's wish
     * @param expiresAt until when the owner could accept; null if it was the owner's wish
     * @param priceBefore what the reservation owed before
     * @param priceAfter what it owes since, or would; null for what was offered, unless it is accepted
     * @param reservation as it is after it, or would be
     */
    record RenegotiationBody(
            @Nullable Integer number,
            Outcome outcome,
            String by,
            Instant at,
            @Nullable Instant answeredAt,
            TermsBody terms,
            @Nullable MoneyBody incentive,
            @Nullable Instant expiresAt,
            MoneyBody priceBefore,
            @Nullable MoneyBody priceAfter,
            ReservationBody reservation) {}

    /**
     * Agrees on other terms, or leaves the old ones as they are. Once it runs, only the end of a reservation can change. From an
     * administrator who is not the owner it is a proposal, with an incentive and an expiry, that the owner accepts or
     * declines. A dry run says what would be agreed or proposed, and changes nothing.
     */
    @PostMapping
    @Refuses({WRONG_STATE, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, INVALID_TERMS, NEVER_FITS, TOO_MANY_REQUESTS})
    ResponseEntity<RenegotiationBody> renegotiate(
            @PathVariable String id,
            @RequestBody RenegotiateBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        if (body.terms == null || body.terms.isNull()) {
            throw Problem.field(
                    ProblemCode.MALFORMED, "terms", null, "is required: the part of the terms that is to change");
        }
        boolean isDryRun = Boolean.TRUE.equals(body.dryRun);
        return once(
                isDryRun ? Optional.empty() : keys.use(key, account, "renegotiate " + id, body),
                turn -> renegotiate(id, body, isDryRun, ifMatch, account, turn));
    }

    /** What was renegotiated or answered under the same key before is told as it was recorded. */
    private ResponseEntity<RenegotiationBody> once(
            Optional<KeyUse> key, Function<Keys.Turn, ResponseEntity<RenegotiationBody>> work) {
        return desks.keys()
                .once(
                        key,
                        first -> Optional.of(recorded(first)),
                        answer -> {
                            Refusals.granted(answer, Sent.nothing());
                            throw new IllegalStateException("What was not done was granted: " + answer);
                        },
                        work);
    }

    private ResponseEntity<RenegotiationBody> recorded(Stands first) {
        if (!(first instanceof Stands.Happened(Event.ReservationEvent(var _, var after, var _, var _)))) {
            throw new IllegalStateException("A renegotiation led to something else: " + first);
        }
        return records.renegotiations(after.id(), OptionalLong.of(after.status().version() + 1L), 1).stream()
                .findFirst()
                .map(renegotiation -> tagged(body(renegotiation, after), after))
                .orElseThrow();
    }

    private ResponseEntity<RenegotiationBody> renegotiate(
            String id,
            RenegotiateBody body,
            boolean isDryRun,
            @Nullable String ifMatch,
            Account account,
            Keys.Turn turn) {
        for (int attempt = 1; ; attempt++) {
            var before = reservations.reservation(id, account);
            var target = target(before, ifMatch);
            ReservationLookup.requireLive(before);
            var meant = new Target(before.id(), OptionalInt.of(before.status().version()));
            var booking =
                    isOwner(before, account) ? wish(before, meant, body, account) : offer(before, meant, body, account);
            clusters.schedule(before.cluster());
            var answer = isDryRun ? tried(before, booking) : desks.decide(before.cluster(), booking, turn);
            boolean hasChanged = answer instanceof Answer.Refused(Rejection.StaleVersion(int _))
                    && target.version().isEmpty();
            if (hasChanged && attempt == ATTEMPTS) {
                throw Problem.busy();
            }
            if (!hasChanged) {
                var after = granted(answer, before, body, account).reservation().orElse(before);
                return answer(before, after, isDryRun);
            }
        }
    }

    /** @throws Problem if it was refused; where one that waits found no room, with what would fit */
    private Answer.Done granted(Answer answer, Reservation before, RenegotiateBody body, Account account) {
        var sent = Sent.terms(body, "incentive", "expiresAt");
        if (before.state() != ReservationState.CONFIRMED) {
            return Refusals.granted(answer, sent);
        }
        return remedies.granted(
                answer,
                sent,
                new Wanted(
                        account,
                        before.origin().serviceClass(),
                        before.cluster(),
                        wanted(before, body),
                        Optional.of(before.id())));
    }

    private static boolean isOwner(Reservation reservation, Account account) {
        return reservation.origin().owner().equals(account.name());
    }

    private Booking wish(Reservation before, Target meant, RenegotiateBody body, Account owner) {
        var fields = new Fields(body);
        if (body.incentive != null) {
            fields.invalid("incentive", body.incentive, "is for proposals to another account; leave it out");
        }
        if (body.expiresAt != null) {
            fields.invalid("expiresAt", body.expiresAt, "is for proposals to another account; leave it out");
        }
        fields.check();
        var wanted = wanted(before, body);
        return new Booking(owner.name(), owner.limits(), allowance -> new Renegotiate(meant, wanted, allowance));
    }

    private Booking offer(Reservation before, Target meant, RenegotiateBody body, Account provider) {
        var fields = new Fields(body);
        fields.required("incentive", body.incentive, "");
        fields.required("expiresAt", body.expiresAt, "");
        var incentive = fields.money("incentive", body.incentive);
        var expiresAt = fields.instantDown("expiresAt", body.expiresAt);
        fields.check();
        var wanted = wanted(before, body);
        var proposal = new Propose(meant, wanted, incentive.orElseThrow(), provider.name(), expiresAt.orElseThrow());
        // books nothing for anybody, and what takes long to find out is found out for the one who proposes
        return new Booking(provider.name(), AccountLimits.NONE, _ -> proposal);
    }

    /** Accepts what the provider has proposed. It holds at once, if there is still room for it. */
    @PostMapping("/{number}/accept")
    @Refuses({WRONG_STATE, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, TOO_MANY_REQUESTS})
    ResponseEntity<RenegotiationBody> acceptProposal(
            @PathVariable String id,
            @PathVariable String number,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        int proposal = numberOf(number);
        return once(
                keys.use(key, account, "accept %s %d".formatted(id, proposal), Map.of()),
                turn -> reply(
                        id,
                        proposal,
                        ifMatch,
                        account,
                        turn,
                        target -> allowance -> new AcceptProposal(target, proposal, allowance)));
    }

    /** Declines what the provider has proposed. The agreed terms hold as before. */
    @PostMapping("/{number}/decline")
    @Refuses(WRONG_STATE)
    ResponseEntity<RenegotiationBody> declineProposal(
            @PathVariable String id,
            @PathVariable String number,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        int proposal = numberOf(number);
        return once(
                keys.use(key, account, "decline %s %d".formatted(id, proposal), Map.of()),
                turn -> reply(
                        id, proposal, ifMatch, account, turn, target -> _ -> new DeclineProposal(target, proposal)));
    }

    private static Target target(Reservation before, @Nullable String ifMatch) {
        int present = before.status().version();
        var version = ReservationLookup.version(present, ifMatch);
        if (version.isPresent() && version.getAsInt() != present) {
            throw EntityTag.stale(present);
        }
        return new Target(before.id(), version);
    }

    private static int numberOf(String number) {
        if (!NUMBER.matcher(number).matches()) {
            throw Problem.field(
                    ProblemCode.MALFORMED, "number", Texts.shown(number), "must be the number of the proposal");
        }
        return Integer.parseInt(number);
    }

    private ResponseEntity<RenegotiationBody> reply(
            String id,
            int proposal,
            @Nullable String ifMatch,
            Account account,
            Keys.Turn turn,
            Function<Target, Function<Allowance, Command>> answer) {
        var before = reservations.reservation(id, account);
        if (!isOwner(before, account)) {
            throw new Problem(ProblemCode.FORBIDDEN, "Only the owner of the reservation answers a proposal.");
        }
        var target = target(before, ifMatch);
        ReservationLookup.requireLive(before);
        clusters.schedule(before.cluster());
        var booking = new Booking(account.name(), account.limits(), answer.apply(target));
        var after = Refusals.granted(desks.decide(before.cluster(), booking, turn), Sent.nothing())
                .reservation()
                .orElse(before);
        var replied = records.renegotiations(after.id(), OptionalLong.of(proposal + 1L), 1)
                .getFirst();
        return tagged(body(replied, after), after);
    }

    private RequestedTerms wanted(Reservation before, RenegotiateBody body) {
        var patch = mapper.createObjectNode().set("terms", body.terms);
        var merged = mergePatch.apply(patch, new TermsOnly(TermsBody.of(before.terms())), TermsOnly.class);
        var fields = new Fields(merged);
        var wanted = TermsBody.read(merged.terms, fields);
        fields.check();
        return wanted;
    }

    /** Decided on the last applied schedule, and forgotten. */
    private Answer tried(Reservation before, Booking booking) {
        var schedule = desks.outlook(before.cluster()).orElseThrow();
        var allowance = desks.allowance(before.cluster(), booking.owner(), booking.limits());
        long now = now();
        var command = booking.command().apply(allowance);
        return switch (desks.compute(booking.owner(), () -> command.decide(schedule, now))) {
            case Decision.Accepted(var events, var _) -> new Answer.Done(events);
            case Decision.Rejected(var reason) -> new Answer.Refused(reason);
        };
    }

    private ResponseEntity<RenegotiationBody> answer(Reservation before, Reservation after, boolean isDryRun) {
        boolean hasChanged = after.status().version() > before.status().version();
        var number = hasChanged && !isDryRun ? after.status().version() : null;
        var body = hasChanged && after.proposal().isPresent()
                ? offered(number, Outcome.PROPOSED, after, null, before.price(), null, after)
                : agreed(number, after, before.price());
        return isDryRun ? ResponseEntity.ok(body) : tagged(body, after);
    }

    private static ResponseEntity<RenegotiationBody> tagged(RenegotiationBody body, Reservation after) {
        return ResponseEntity.ok().eTag(EntityTag.of(after.status().version())).body(body);
    }

    private RenegotiationBody agreed(@Nullable Integer number, Reservation after, Money priceBefore) {
        return new RenegotiationBody(
                number,
                Outcome.AGREED,
                after.origin().owner(),
                Texts.instant(after.status().updatedAt()),
                null,
                TermsBody.of(after.terms()),
                null,
                null,
                MoneyBody.of(priceBefore),
                MoneyBody.of(after.price()),
                bodies.of(after));
    }

    /** @param offered the reservation with the proposal */
    private RenegotiationBody offered(
            @Nullable Integer number,
            Outcome outcome,
            Reservation offered,
            @Nullable Instant answeredAt,
            Money priceBefore,
            @Nullable MoneyBody priceAfter,
            Reservation after) {
        var proposal = offered.proposal().orElseThrow();
        return new RenegotiationBody(
                number,
                outcome,
                proposal.by(),
                Texts.instant(proposal.at()),
                answeredAt,
                TermsBody.of(proposal.terms()),
                MoneyBody.of(proposal.incentive()),
                Texts.instant(proposal.expiresAt()),
                MoneyBody.of(priceBefore),
                priceAfter,
                bodies.of(after));
    }

    private RenegotiationBody body(Renegotiation renegotiation, Reservation present) {
        return switch (renegotiation) {
            case Renegotiation.Agreement(var after, var priceBefore) ->
                agreed(renegotiation.number(), after, priceBefore);
            case Renegotiation.Offer(var offered, var reply) ->
                reply.map(replied -> offered(
                                renegotiation.number(),
                                replied.isAccepted() ? Outcome.ACCEPTED : Outcome.DECLINED,
                                offered,
                                Texts.instant(replied.after().status().updatedAt()),
                                replied.priceBefore(),
                                replied.isAccepted()
                                        ? MoneyBody.of(replied.after().price())
                                        : null,
                                replied.after()))
                        .orElseGet(() -> offered(
                                renegotiation.number(),
                                isOpen(offered, present) ? Outcome.PROPOSED : Outcome.EXPIRED,
                                offered,
                                null,
                                offered.price(),
                                null,
                                offered));
        };
    }

    /** Whether the reservation still has the proposal that it had then. */
    private boolean isOpen(Reservation offered, Reservation present) {
        return present.proposal().equals(offered.proposal())
                && present.proposal().filter(proposal -> proposal.isOpen(now())).isPresent();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Lists what was agreed anew and what was proposed, newest first. */
    @GetMapping
    Page<RenegotiationBody> listRenegotiations(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        if (!(reservations.here(id, account) instanceof Booked.Here(var reservation))) {
            return new Page<>(List.of(), null);
        }
        var before = after == null ? OptionalLong.empty() : OptionalLong.of(Page.position(after));
        var found = records.renegotiations(reservation.id(), before, most + 1);
        return Page.of(
                found,
                most,
                renegotiation -> body(renegotiation, reservation),
                renegotiation -> Integer.toString(renegotiation.number()));
    }
}
