package berth.rest;

import static berth.rest.ProblemCode.BUDGET_EXCEEDED;
import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.LIMIT_EXCEEDED;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.NO_SLOT;
import static berth.rest.ProblemCode.WRONG_STATE;

import berth.broker.Coallocation;
import berth.broker.CoallocationState;
import berth.broker.Coallocations;
import berth.broker.Coallocations.Outcome;
import berth.rest.Problem.FieldError;
import berth.scheduling.Rejection;
import berth.security.Account;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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

/** Co-allocations: runs on several clusters at one start, all of them or none. */
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
     * Runs on several clusters at one start.
     *
     * @param id made by the service
     * @param name the client's own label
     * @param project what the client files it under
     * @param owner the account that reserved it
     * @param state how far it has come
     * @param start when all parts begin
     * @param reservations the parts, in the order in which they were asked for
     * @param createdAt when all parts were held
     * @param updatedAt when its state last changed
     */
    @Schema(name = "Coallocation")
    record CoallocationBody(
            UUID id,
            @Nullable String name,
            @Nullable String project,
            String owner,
            CoallocationState state,
            Instant start,
            List<ReservationBody> reservations,
            Instant createdAt,
            Instant updatedAt) {}

    /**
     * Reserves all parts at the earliest start that they have in common, or none of them. Each part is held first, and once all
     * are held they are confirmed. Parts never move. A start that is too near for that is none: it lies some seconds ahead. With
     * {@code acceptAlternatives} the nearest other common start is reserved where there is none in the windows.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({NOT_FOUND, NO_SLOT, LIMIT_EXCEEDED, BUDGET_EXCEEDED, INVALID_TERMS, NEVER_FITS})
    ResponseEntity<CoallocationBody> coallocate(
            @RequestBody CoallocateBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var asked = requests.read(body, key, account);
        return switch (coallocations.create(asked.wanted(), asked.key())) {
            case Outcome.Granted(var granted) ->
                ResponseEntity.created(URI.create("/api/v1/coallocations/" + granted.id()))
                        .body(body(granted, account));
            case Outcome.Never(var reasons) -> throw never(reasons, body);
            case Outcome.Apart() ->
                throw new Problem(
                        INVALID_TERMS,
                        "Choose windows in which all parts can begin at one time.",
                        List.of(new FieldError("parts", null, "have no start in common in their windows")));
            case Outcome.NoSlot() ->
                throw new Problem(
                                NO_SLOT,
                                "There is no common start with room for all parts; loosen their windows, or try again.")
                        .offering(remedies.together(asked.wanted(), account));
            case Outcome.Ended(var answer) -> throw Refusals.refused(answer, RequestFields.nothing());
        };
    }

    private static Problem never(Map<Integer, Rejection> reasons, CoallocateBody body) {
        var problems = reasons.entrySet().stream()
                .map(entry -> Refusals.problem(entry.getValue(), RequestFields.part(body, entry.getKey())))
                .toList();
        return new Problem(
                problems.getFirst().code(),
                "Correct the fields named in errors; waiting does not help.",
                problems.stream().flatMap(problem -> problem.errors().stream()).toList());
    }

    /** Reads a co-allocation with its parts as they are now. */
    @GetMapping("/{id}")
    CoallocationBody readCoallocation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return body(lookup.find(id, account), account);
    }

    /** Gives all parts up. Before their start they owe nothing. */
    @PostMapping("/{id}/cancel")
    @Refuses(WRONG_STATE)
    CoallocationBody cancelCoallocation(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var found = lookup.changed(id, account);
        var cancelled = coallocations
                .cancel(found.id())
                .orElseThrow(() -> new Problem(
                        ProblemCode.UNAVAILABLE,
                        "Other Berths are being told of its parts; repeat this call in a moment."));
        if (cancelled.state() != CoallocationState.CANCELLED) {
            throw new Problem(
                    WRONG_STATE,
                    "The co-allocation is %s, which does not allow this; read it to see what has happened."
                            .formatted(cancelled.state()));
        }
        return body(cancelled, account);
    }

    private CoallocationBody body(Coallocation coallocation, Account account) {
        return new CoallocationBody(
                coallocation.id(),
                Texts.orNull(coallocation.name()),
                Texts.orNull(coallocation.project()),
                coallocation.owner().value(),
                coallocation.state(),
                Texts.instant(coallocation.start()),
                lookup.parts(coallocation, account).stream().map(bodies::of).toList(),
                Texts.instant(coallocation.createdAt()),
                Texts.instant(coallocation.updatedAt()));
    }
}
