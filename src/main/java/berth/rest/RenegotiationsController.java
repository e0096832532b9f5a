package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.OVER_BUDGET;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.desk.Answer;
import berth.desk.Booking;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Renegotiation;
import berth.reservation.Reservation;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.Renegotiate;
import berth.scheduling.Target;
import berth.security.Account;
import berth.sla.AccountLimits;
import berth.sla.Money;
import berth.sla.RequestedTerms;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
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

    private final Desks desks;
    private final Records records;
    private final ClusterLookup clusters;
    private final ReservationLookup reservations;
    private final MergePatch mergePatch;
    private final JsonMapper mapper;
    private final InstantSource clock;

    RenegotiationsController(
            Desks desks,
            Records records,
            ClusterLookup clusters,
            ReservationLookup reservations,
            MergePatch mergePatch,
            JsonMapper mapper,
            InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.clusters = clusters;
        this.reservations = reservations;
        this.mergePatch = mergePatch;
        this.mapper = mapper;
        this.clock = clock;
    }

    /**
     * A request for other terms.
     *
     * @param terms what is to change: a part of the terms, as a merge patch; null takes away what may be left out
     * @param dryRun whether only to say what would be agreed
     */
    @Schema(example = "{\"terms\":{\"duration\":\"PT3H\"},\"dryRun\":true}")
    record RenegotiateBody(
            @Required @Patches(TermsBody.class) @Nullable JsonNode terms,
            @Nullable Boolean dryRun) {}

    /** The terms of a reservation, and a patch to them, where the client knows them: in the field of that name. */
    record TermsOnly(@Nullable TermsBody terms) {}

    /** How a renegotiation ended. */
    enum Outcome {
        /** The new terms hold. */
        AGREED
    }

    /**
     * An agreement on other terms.
     *
     * @param number the version of the reservation that it led to; null for a dry run, and if nothing has changed
     * @param outcome how it ended
     * @param priceBefore what the reservation owed before
     * @param priceAfter what it owes now, or would
     * @param reservation as it is after it, or would be
     */
    record RenegotiationBody(
            @Nullable Integer number,
            Outcome outcome,
            MoneyBody priceBefore,
            MoneyBody priceAfter,
            ReservationBody reservation) {}

    /**
     * Agrees on other terms, or leaves the old ones as they are. Once it runs, only the end of a reservation can change. A
     * dry run says what would be agreed, and changes nothing.
     */
    @PostMapping
    @Refuses({WRONG_STATE, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, INVALID_TERMS, NEVER_FITS})
    ResponseEntity<RenegotiationBody> renegotiate(
            @PathVariable String id,
            @RequestBody RenegotiateBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        if (body.terms == null || body.terms.isNull()) {
            throw Problem.field(
                    ProblemCode.MALFORMED, "terms", null, "is required: the part of the terms that is to change");
        }
        for (int attempt = 1; ; attempt++) {
            var before = reservations.find(id, account);
            var target = reservations.target(before, ifMatch);
            ReservationLookup.requireLive(before);
            if (!before.origin().owner().equals(account.name())) {
                throw Problem.notBuilt("terms", null, "let the owner renegotiate: proposals are still to come");
            }
            var wanted = wanted(before, body);
            var meant = new Target(before.id(), OptionalInt.of(before.status().version()));
            var outcome = Boolean.TRUE.equals(body.dryRun)
                    ? tried(before, meant, wanted, account.limits())
                    : done(before, meant, wanted, account.limits());
            boolean hasChanged = outcome instanceof Answer.Refused(Rejection.StaleVersion(int _))
                    && target.version().isEmpty();
            if (hasChanged && attempt == ATTEMPTS) {
                throw Problem.busy();
            }
            if (!hasChanged) {
                var after = Refusals.granted(outcome, Sent.terms(body))
                        .reservation()
                        .orElse(before);
                return answer(before, after, Boolean.TRUE.equals(body.dryRun));
            }
        }
    }

    private RequestedTerms wanted(Reservation before, RenegotiateBody body) {
        var patch = mapper.createObjectNode().set("terms", body.terms);
        var merged = mergePatch.apply(patch, new TermsOnly(TermsBody.of(before.terms())), TermsOnly.class);
        var fields = new Fields(merged);
        var wanted = TermsBody.read(merged.terms, fields);
        fields.check();
        return wanted;
    }

    private Answer done(Reservation before, Target meant, RequestedTerms wanted, AccountLimits limits) {
        clusters.schedule(before.cluster());
        var booking =
                new Booking(before.origin().owner(), limits, allowance -> new Renegotiate(meant, wanted, allowance));
        return desks.decide(before.cluster(), booking, Optional.empty());
    }

    /** Decided on the last applied schedule, and forgotten. */
    private Answer tried(Reservation before, Target meant, RequestedTerms wanted, AccountLimits limits) {
        var schedule = clusters.schedule(before.cluster());
        var allowance = desks.allowance(before.cluster(), before.origin().owner(), limits);
        var command = new Renegotiate(meant, wanted, allowance);
        return switch (command.decide(schedule, clock.instant().getEpochSecond())) {
            case Decision.Accepted(var events, var _) -> new Answer.Done(events);
            case Decision.Rejected(var reason) -> new Answer.Refused(reason);
        };
    }

    private ResponseEntity<RenegotiationBody> answer(Reservation before, Reservation after, boolean isDryRun) {
        boolean isAgreement =
                !isDryRun && after.status().version() > before.status().version();
        var body = body(after, before.price(), isAgreement);
        return isDryRun
                ? ResponseEntity.ok(body)
                : ResponseEntity.ok()
                        .eTag(EntityTag.of(after.status().version()))
                        .body(body);
    }

    private RenegotiationBody body(Reservation after, Money priceBefore, boolean isAgreement) {
        return new RenegotiationBody(
                isAgreement ? after.status().version() : null,
                Outcome.AGREED,
                MoneyBody.of(priceBefore),
                MoneyBody.of(after.price()),
                ReservationBody.of(after, clock.instant().getEpochSecond()));
    }

    /** Lists what was agreed anew, newest first. */
    @GetMapping
    Page<RenegotiationBody> listRenegotiations(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var reservation = reservations.find(id, account);
        var before = after == null ? OptionalLong.empty() : OptionalLong.of(Page.position(after));
        List<Renegotiation> found = records.renegotiations(reservation.id(), before, most + 1);
        return Page.of(
                found,
                most,
                agreed -> body(agreed.after(), agreed.priceBefore(), true),
                agreed -> Integer.toString(agreed.after().status().version()));
    }
}
