package berth.booking.web;

import static berth.http.ProblemCode.BUDGET_EXCEEDED;
import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NEEDS_APPROVAL;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NO_SLOT;
import static berth.http.ProblemCode.OVER_BUDGET;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.booking.BookedReservation;
import berth.booking.Renegotiations;
import berth.booking.Renegotiations.Change;
import berth.booking.Renegotiations.Outcome;
import berth.booking.Renegotiations.Reply;
import berth.booking.web.RefusedRequests.Wish;
import berth.booking.web.Remedies.Wanted;
import berth.booking.web.ReservationLookup.Changed;
import berth.engine.Answer;
import berth.http.EntityTag;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.refusals.RefusedRequest.Kind;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** Renegotiations: changes of agreed terms, and proposals for them. */
@RestController
@RequestMapping("/api/v1/reservations/{id}")
class RenegotiationsController {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final Renegotiations renegotiations;
    private final RenegotiateRequests requests;
    private final ReservationLookup lookup;
    private final RenegotiationBodies bodies;
    private final Remedies remedies;

    RenegotiationsController(
            Renegotiations renegotiations,
            RenegotiateRequests requests,
            ReservationLookup lookup,
            RenegotiationBodies bodies,
            Remedies remedies) {
        this.renegotiations = renegotiations;
        this.requests = requests;
        this.lookup = lookup;
        this.bodies = bodies;
        this.remedies = remedies;
    }

    /**
     * Changes the terms of a reservation, or leaves them unchanged if the new terms are not possible. Once the reservation runs, only its
     * end can change. If an administrator who is not the owner makes the request, it is a proposal with an incentive and an expiry, which
     * the owner accepts or declines. A dry run returns the resulting agreement or proposal and changes nothing.
     */
    @PostMapping("/renegotiations")
    @Refuses({
        WRONG_STATE,
        ELSEWHERE,
        NO_SLOT,
        OVER_BUDGET,
        LIMIT_EXCEEDED,
        BUDGET_EXCEEDED,
        NEEDS_APPROVAL,
        INVALID_TERMS,
        NEVER_FITS
    })
    ResponseEntity<RenegotiationOrDryRun> renegotiate(
            @PathVariable String id,
            @RequestBody RenegotiateBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        if (body.terms() == null || body.terms().isNull()) {
            throw Problem.field(ProblemCode.MALFORMED, "terms", null, "is required: the terms that change");
        }
        var changed = lookup.changed(id, account);
        var found = changed.reservation();
        var version = ReservationLookup.version(found.version(), ifMatch);
        Function<Reservation, Change> change = present -> requests.read(body, present, changed);
        var outcome = Boolean.TRUE.equals(body.dryRun())
                ? renegotiations.tryChange(
                        found, version, present -> requests.allowed(change.apply(present), present, changed))
                : renegotiations.change(
                        found,
                        version,
                        present -> allowed(Kind.RENEGOTIATION, change.apply(present), present, changed),
                        lookup.key(key, account, "renegotiate " + id, body));
        if (outcome instanceof Outcome.NotDone(var before, var answer)) {
            var problem = refused(answer, before, body, account);
            throw Boolean.TRUE.equals(body.dryRun())
                    ? problem
                    : noted(Kind.RENEGOTIATION, change.apply(before), before, changed.by(), problem);
        }
        return answer(outcome, account);
    }

    /**
     * A request to prolong a run.
     *
     * @param by the requested time
     * @param atLeast the smallest useful time; the requested time, if left out
     * @param dryRun true to get the resulting agreement without making it
     */
    @Schema(name = "Extend", example = "{\"by\":\"PT4H\",\"atLeast\":\"PT1H\"}")
    record ExtendBody(
            @Required @Nullable String by,
            @Nullable String atLeast,
            @Nullable Boolean dryRun) {}

    /**
     * Prolongs a waiting or running reservation by as much of the requested time as there is room and money for. If the new end lies after
     * the deadline, the deadline moves to it. Only runs in one shape and one piece can be prolonged. A dry run returns the resulting
     * agreement and changes nothing.
     */
    @PostMapping("/extend")
    @Refuses({
        WRONG_STATE,
        ELSEWHERE,
        NO_SLOT,
        OVER_BUDGET,
        LIMIT_EXCEEDED,
        BUDGET_EXCEEDED,
        NEEDS_APPROVAL,
        INVALID_TERMS,
        NEVER_FITS
    })
    ResponseEntity<RenegotiationOrDryRun> extendReservation(
            @PathVariable String id,
            @RequestBody ExtendBody body,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        long by =
                fields.durationUp("by", fields.required("by", body.by, "PT1S")).orElse(1);
        long atLeast = body.atLeast == null
                ? by
                : fields.durationUp("atLeast", body.atLeast).orElse(by);
        fields.check();
        var changed = owned(id, account);
        var found = changed.reservation();
        var owner = changed.by();
        var version = ReservationLookup.version(found.version(), ifMatch);
        var change = new Change.Extension(owner.name(), owner.limits(), by, atLeast, account.name());
        var outcome = Boolean.TRUE.equals(body.dryRun)
                ? renegotiations.tryChange(found, version, present -> requests.allowed(change, present, changed))
                : renegotiations.change(
                        found,
                        version,
                        present -> allowed(Kind.EXTENSION, change, present, changed),
                        lookup.key(key, account, "extend " + id, body));
        if (outcome instanceof Outcome.NotDone(var before, var answer)) {
            var problem = Refusals.refused(answer, RequestFields.fields(body));
            throw Boolean.TRUE.equals(body.dryRun()) ? problem : noted(Kind.EXTENSION, change, before, owner, problem);
        }
        return answer(outcome, account);
    }

    /** Returns a change that the site's policy allows, and takes note of one that it does not allow. */
    private Change allowed(Kind kind, Change change, Reservation present, Changed call) {
        return remedies.refusedRequests()
                .noting(
                        () -> Wish.of(kind, call.by().name(), present, RenegotiateRequests.wanted(change, present)),
                        () -> requests.allowed(change, present, call));
    }

    private Problem noted(Kind kind, Change change, Reservation before, Account by, Problem problem) {
        var wish = Wish.of(kind, by.name(), before, RenegotiateRequests.wanted(change, before));
        return remedies.refusedRequests().noted(wish, problem);
    }

    private Changed owned(String id, Account account) {
        var changed = lookup.changed(id, account);
        if (!changed.isByOwner()) {
            throw new Problem(ProblemCode.FORBIDDEN, "Only the owner of the reservation may do this.");
        }
        return changed;
    }

    /** Returns the problem of a rejected change. If the reservation waits and there was no room, it includes terms that would fit. */
    private Problem refused(Answer answer, Reservation before, RenegotiateBody body, Account account) {
        var sent = RequestFields.terms(body, "incentive", "expiresAt");
        return before.state() == ReservationState.CONFIRMED
                ? remedies.refused(
                        answer,
                        sent,
                        () -> new Wanted(
                                account,
                                before.origin().customer(),
                                before.cluster(),
                                requests.terms(body, before),
                                Optional.of(before.id())))
                : Refusals.refused(answer, sent);
    }

    private ResponseEntity<RenegotiationOrDryRun> answer(Outcome outcome, Account account) {
        if (outcome instanceof Outcome.Supposed(var before, var after, var trial)) {
            return ResponseEntity.ok(bodies.tried(before, after, trial, account));
        }
        var body = recorded(outcome);
        return tagged(body).body(body);
    }

    private RenegotiationBody recorded(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Recorded(var renegotiation, var after) -> bodies.of(renegotiation, after);
            case Outcome.Unchanged(var reservation) -> bodies.unchanged(reservation);
            case Outcome.Supposed _ -> throw new IllegalStateException("Nothing was recorded: " + outcome);
            case Outcome.WrongState(var state) -> throw Refusals.wrongState(state);
            case Outcome.NotDone(var _, var answer) -> throw Refusals.refused(answer, RequestFields.nothing());
            case Outcome.Busy() -> throw Problem.busy();
        };
    }

    private static ResponseEntity.BodyBuilder tagged(RenegotiationBody body) {
        var reservation = body.reservation();
        return ResponseEntity.ok().eTag(EntityTag.of(reservation.version(), reservation));
    }

    /** Accepts the provider's proposal. Its terms apply at once, if there is still room. */
    @PostMapping("/renegotiations/{number}/accept")
    @Refuses({WRONG_STATE, ELSEWHERE, NO_SLOT, OVER_BUDGET, LIMIT_EXCEEDED, BUDGET_EXCEEDED})
    ResponseEntity<RenegotiationBody> acceptProposal(
            @PathVariable String id,
            @PathVariable String number,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return reply(id, number, ifMatch, key, account, owner -> new Reply.Accept(owner.limits()));
    }

    /** Declines the provider's proposal. The agreed terms stay as they are. */
    @PostMapping("/renegotiations/{number}/decline")
    @Refuses({WRONG_STATE, ELSEWHERE})
    ResponseEntity<RenegotiationBody> declineProposal(
            @PathVariable String id,
            @PathVariable String number,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        return reply(id, number, ifMatch, key, account, _ -> new Reply.Decline());
    }

    private ResponseEntity<RenegotiationBody> reply(
            String id,
            String number,
            @Nullable String ifMatch,
            @Nullable String key,
            Account account,
            Function<Account, Reply> answer) {
        int proposal = numberOf(number);
        var changed = owned(id, account);
        var found = changed.reservation();
        var reply = answer.apply(changed.by());
        var version = ReservationLookup.version(found.version(), ifMatch);
        var word = reply instanceof Reply.Accept ? "accept" : "decline";
        var use = lookup.key(key, account, "%s %s %d".formatted(word, id, proposal), Map.of());
        var body = recorded(renegotiations.reply(found, version, proposal, reply, use));
        return tagged(body).body(body);
    }

    private static int numberOf(String number) {
        if (!NUMBER.matcher(number).matches()) {
            throw Problem.field(
                    ProblemCode.MALFORMED, "number", Texts.shown(number), "must be the number of the proposal");
        }
        return Integer.parseInt(number);
    }

    /** Lists the renegotiations of a reservation, both agreements and proposals, newest first. */
    @GetMapping("/renegotiations")
    @Refuses(ELSEWHERE)
    Page<RenegotiationBody> listRenegotiations(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        if (!(lookup.here(id, account) instanceof BookedReservation.Here(var reservation))) {
            return new Page<>(List.of(), null);
        }
        var before = after == null ? OptionalLong.empty() : OptionalLong.of(Page.position(after));
        var found = renegotiations.list(reservation.id(), before, most + 1);
        return Page.of(
                found,
                most,
                renegotiation -> bodies.of(renegotiation, reservation),
                renegotiation -> Integer.toString(renegotiation.number()));
    }
}
