package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NEVER_FITS;
import static berth.rest.ProblemCode.NO_SLOT;

import berth.desk.Desks;
import berth.scheduling.RoomSearch;
import berth.scheduling.RoomSearch.Candidate;
import berth.security.Account;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Whom an operator can ask for more flexibility, to let a request in that does not fit. */
@RestController
class RoomController {

    private final Desks desks;
    private final ClusterLookup clusters;

    RoomController(Desks desks, ClusterLookup clusters) {
        this.desks = desks;
        this.clusters = clusters;
    }

    /**
     * A request that does not fit.
     *
     * @param terms what is asked for
     */
    @Schema(name = "RoomRequest", example = "{\"terms\":{\"duration\":\"PT2H\",\"pes\":32}}")
    record RoomRequestBody(@Required @Nullable TermsBody terms) {}

    /**
     * Whom to ask.
     *
     * @param candidates those whose agreement alone would do, the least loosened first
     * @param fits whether nobody needs to be asked, since the request would be admitted
     * @param truncated whether there may be more
     */
    record RoomBody(List<CandidateBody> candidates, boolean fits, boolean truncated) {}

    /**
     * Somebody to ask.
     *
     * @param reservation which
     * @param deadline the one that would admit the request
     * @param phi by how much that is later than the agreed one, in run times
     */
    record CandidateBody(UUID reservation, Instant deadline, BigDecimal phi) {}

    /**
     * Finds the reservations whose deadline, if it were later, would let a request in that does not fit. Changes nothing: a
     * renegotiation by an administrator proposes it to their owners.
     */
    @PostMapping("/api/v1/clusters/{id}/room")
    @Refuses({NO_SLOT, INVALID_TERMS, NEVER_FITS})
    RoomBody findRoom(
            @PathVariable String id, @RequestBody RoomRequestBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var terms = TermsBody.read(body.terms, fields);
        fields.check();
        var outlook = desks.outlook(clusters.id(id)).orElseThrow();
        var search = new RoomSearch(terms, ServiceClass.STANDARD, Remedies.LIMIT);
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
