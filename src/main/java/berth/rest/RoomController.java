package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NO_SLOT;

import berth.desk.Desks;
import berth.scheduling.RoomSearch;
import berth.scheduling.RoomSearch.Candidate;
import berth.security.Account;
import berth.sla.Customer;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Finds reservations whose owners an operator could ask for more flexibility, to make room for a request. */
@RestController
class RoomController {

    private final Desks desks;
    private final ClusterLookup clusters;
    private final InstantSource clock;

    RoomController(Desks desks, ClusterLookup clusters, InstantSource clock) {
        this.desks = desks;
        this.clusters = clusters;
        this.clock = clock;
    }

    /**
     * A request that does not fit.
     *
     * @param terms the requested terms
     */
    @Schema(name = "RoomRequest", example = "{\"terms\":{\"duration\":\"PT2H\",\"pes\":32}}")
    record RoomRequestBody(@Required @Nullable TermsBody terms) {}

    /**
     * The reservations whose owners to ask.
     *
     * @param candidates reservations each of which alone would make room by a later deadline, the smallest change first
     * @param fits true if the request would be admitted as it is, so that there is nothing to ask
     * @param truncated whether there may be more candidates
     */
    record RoomBody(List<CandidateBody> candidates, boolean fits, boolean truncated) {}

    /**
     * A reservation whose owner to ask.
     *
     * @param reservation the id of the reservation
     * @param deadline the deadline that would make room for the request
     * @param phi how much later this deadline is than the agreed one, in run times
     */
    record CandidateBody(UUID reservation, Instant deadline, BigDecimal phi) {}

    /**
     * Finds reservations that would make room for a request if their deadline were later. This call changes nothing. An administrator can
     * then propose the later deadline to an owner by a renegotiation.
     */
    @PostMapping("/api/v1/clusters/{id}/room")
    @Refuses({NO_SLOT, INVALID_TERMS, NEVER_FITS})
    RoomBody findRoom(
            @PathVariable String id, @RequestBody RoomRequestBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var terms = TermsBody.read(body.terms, fields, clock.instant().getEpochSecond());
        fields.check();
        var outlook = desks.outlook(clusters.id(id)).orElseThrow();
        var search = new RoomSearch(terms, new Customer(account.name(), ServiceClass.STANDARD), Remedies.LIMIT);
        return switch (desks.compute(account.name(), () -> search.ask(outlook.schedule(), outlook.now()))) {
            case RoomSearch.Answer.Candidates(var candidates, boolean truncated) ->
                new RoomBody(candidates.stream().map(RoomController::body).toList(), false, truncated);
            case RoomSearch.Answer.Fits() -> new RoomBody(List.of(), true, false);
            case RoomSearch.Answer.Refused(var reason) -> throw Refusals.problem(reason, RequestFields.terms(body));
        };
    }

    private static CandidateBody body(Candidate candidate) {
        return new CandidateBody(candidate.reservation().value(), Texts.instant(candidate.deadline()), candidate.phi());
    }
}
