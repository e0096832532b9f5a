package berth.booking.web;

import static berth.http.ProblemCode.BUDGET_EXCEEDED;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.LIMIT_EXCEEDED;
import static berth.http.ProblemCode.NEEDS_APPROVAL;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NOT_FOUND;
import static berth.http.ProblemCode.NO_SLOT;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.booking.Coallocation;
import berth.booking.CoallocationState;
import berth.booking.Coallocations;
import berth.booking.Coallocations.Outcome;
import berth.booking.web.CoallocateRequests.ParsedRequest;
import berth.http.MoneyBody;
import berth.http.Problem;
import berth.http.Problem.FieldError;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.scheduling.Rejection;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls that concern co-allocations: runs on several clusters with one start, all or nothing. */
@RestController
@RequestMapping("/api/v1/coallocations")
class CoallocationsController {

    private final Coallocations coallocations;
    private final CoallocateRequests requests;
    private final CoallocationLookup lookup;
    private final ReservationBodies bodies;
    private final Remedies remedies;

    CoallocationsController(
            Coallocations coallocations,
            CoallocateRequests requests,
            CoallocationLookup lookup,
            ReservationBodies bodies,
            Remedies remedies) {
        this.coallocations = coallocations;
        this.requests = requests;
        this.lookup = lookup;
        this.bodies = bodies;
        this.remedies = remedies;
    }

    /**
     * Runs on several clusters with one start.
     *
     * @param id id that the service assigned; null in a dry run
     * @param name the client's own label
     * @param project the project that the client files the runs under
     * @param owner the account that reserved the runs
     * @param state state of the co-allocation
     * @param start the common start of all parts
     * @param reservations the parts, in the order of the request
     * @param createdAt when all parts were held
     * @param updatedAt when the state last changed
     */
    @Schema(name = "Coallocation")
    record CoallocationBody(
            @Nullable UUID id,
            @Nullable String name,
            @Nullable String project,
            String owner,
            CoallocationState state,
            Instant start,
            List<ReservationBody> reservations,
            Instant createdAt,
            Instant updatedAt)
            implements CoallocationOrDryRun {}

    /**
     * What the request would do. Nothing has changed. The same call without {@code dryRun} does this if nothing else changes first.
     *
     * @param before null, because the call would make the co-allocation
     * @param after the co-allocation as it would be, without ids
     * @param prices what its parts would cost together, one amount for each currency
     * @param effects what the call would cost others, on all clusters together
     */
    @Schema(name = "CoallocationDryRun")
    record CoallocationDryRunBody(
            @Nullable CoallocationBody before, CoallocationBody after, List<MoneyBody> prices, EffectsBody effects)
            implements CoallocationOrDryRun {}

    /** The response to a request for a co-allocation: the co-allocation, or what the request would do. */
    @Schema(name = "CoallocationOrDryRun")
    sealed interface CoallocationOrDryRun permits CoallocationBody, CoallocationDryRunBody {}

    /**
     * Reserves all parts at their earliest common start, or none of them. Berth first holds every part and confirms them once all are
     * held. The parts never move. The start lies at least some seconds ahead, to leave time for this. If there is no common start in the
     * windows and the request has {@code acceptAlternatives}, Berth reserves the nearest other common start.
     *
     * <p>With {@code dryRun}, the response is 200: the co-allocation that the same call without it would make now, or the same problem.
     * Nothing changes, and an idempotency key is not used. Parts on clusters of other Berths cannot be tried.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, LIMIT_EXCEEDED, BUDGET_EXCEEDED, NEEDS_APPROVAL, INVALID_TERMS, NEVER_FITS})
    ResponseEntity<CoallocationOrDryRun> coallocate(
            @RequestBody CoallocateBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var asked = requests.read(body, key, account);
        if (Boolean.TRUE.equals(body.dryRun())) {
            requests.requireAllowed(asked.wanted(), account);
            return response(coallocations.tryToCreate(asked.wanted()), asked, account);
        }
        return remedies.refusedRequests().noting(asked.wanted(), () -> {
            requests.requireAllowed(asked.wanted(), account);
            return response(coallocations.create(asked.wanted(), asked.key()), asked, account);
        });
    }

    private ResponseEntity<CoallocationOrDryRun> response(Outcome outcome, ParsedRequest asked, Account account) {
        return switch (outcome) {
            case Outcome.Granted(var granted) ->
                ResponseEntity.created(URI.create("/api/v1/coallocations/" + granted.id()))
                        .body(body(granted, account));
            case Outcome.Supposed(var supposed, var parts, var trials) ->
                ResponseEntity.ok(new CoallocationDryRunBody(
                        null,
                        body(
                                null,
                                supposed,
                                parts.stream()
                                        .map(part -> bodies.of(part).withoutId())
                                        .toList()),
                        MoneyBody.sums(parts.stream().map(Reservation::price)),
                        EffectsBody.of(
                                trials, parts.stream().map(Reservation::id).collect(Collectors.toSet()), account)));
            case Outcome.Never(var reasons) -> throw never(reasons, asked.body());
            case Outcome.Apart() ->
                throw new Problem(
                        INVALID_TERMS,
                        "Choose windows in which all parts can start at the same time.",
                        List.of(new FieldError("parts", null, "have no common start in their windows")));
            case Outcome.NoSlot() ->
                throw NoRoom.offering(
                        new Problem(
                                NO_SLOT,
                                "There is no common start with room for all parts. Widen their windows, or try again later."),
                        remedies.together(asked.wanted(), account));
            case Outcome.Ended(var answer) -> throw Refusals.refused(answer, RequestFields.fields(asked.body()));
        };
    }

    private static Problem never(Map<Integer, Rejection> reasons, CoallocateBody body) {
        var problems = reasons.entrySet().stream()
                .map(entry -> Refusals.problem(entry.getValue(), RequestFields.part(body, entry.getKey())))
                .toList();
        return new Problem(
                problems.getFirst().code(),
                "Correct the fields named in errors. Repeating the same request later does not help.",
                problems.stream().flatMap(problem -> problem.errors().stream()).toList());
    }

    /** Reads a co-allocation with its parts as they are now. */
    @GetMapping("/{id}")
    CoallocationBody readCoallocation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return body(lookup.find(id, account), account);
    }

    /** Cancels all parts. Nothing is owed for a part that is cancelled before its start. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    CoallocationBody cancelCoallocation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var found = lookup.changed(id, account);
        var cancelled = coallocations
                .cancel(found.id())
                .orElseThrow(() -> new Problem(
                        ProblemCode.UNAVAILABLE,
                        "Other Berths are still cancelling its parts. Repeat this call in a moment."));
        if (cancelled.state() != CoallocationState.CANCELLED) {
            throw new Problem(
                    WRONG_STATE,
                    "The co-allocation is %s, which does not allow this call. Read it to see its current state."
                            .formatted(cancelled.state()));
        }
        return body(cancelled, account);
    }

    private CoallocationBody body(Coallocation coallocation, Account account) {
        return body(
                coallocation.id(),
                coallocation,
                lookup.parts(coallocation, account).stream().map(bodies::of).toList());
    }

    private static CoallocationBody body(@Nullable UUID id, Coallocation coallocation, List<ReservationBody> parts) {
        return new CoallocationBody(
                id,
                Texts.orNull(coallocation.name()),
                Texts.orNull(coallocation.project()),
                coallocation.owner().value(),
                coallocation.state(),
                Texts.instant(coallocation.start()),
                parts,
                Texts.instant(coallocation.createdAt()),
                Texts.instant(coallocation.updatedAt()));
    }
}
