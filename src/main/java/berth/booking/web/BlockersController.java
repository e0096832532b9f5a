package berth.booking.web;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NEVER_FITS;
import static berth.http.ProblemCode.NO_SLOT;

import berth.accounts.Account;
import berth.booking.terms.TermsBody;
import berth.engine.Desks;
import berth.http.Fields;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.Texts;
import berth.scheduling.places.BlockerSearch;
import berth.scheduling.places.BlockerSearch.Candidate;
import berth.sla.Customer;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
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
@Tag(name = "Room")
class BlockersController {

    private final Desks desks;
    private final ClusterLookup clusters;
    private final InstantSource clock;

    BlockersController(Desks desks, ClusterLookup clusters, InstantSource clock) {
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
    record BlockersRequestBody(@Required @Nullable TermsBody terms) {}

    /**
     * The reservations whose owners to ask.
     *
     * @param candidates reservations each of which alone would make room by a later deadline, the smallest change first
     * @param fits true if the request would be admitted as it is, so that there is nothing to ask
     * @param truncated whether there may be more candidates
     */
    @Schema(name = "Room")
    record BlockersBody(List<CandidateBody> candidates, boolean fits, boolean truncated) {}

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
    BlockersBody findRoom(
            @PathVariable String id, @RequestBody BlockersRequestBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var terms = TermsBody.read(body.terms, fields, clock.instant().getEpochSecond());
        fields.check();
        var outlook = desks.outlook(clusters.id(id)).orElseThrow();
        var search = new BlockerSearch(terms, new Customer(account.name(), ServiceClass.STANDARD), Remedies.LIMIT);
        return switch (desks.searches().compute(account.name(), () -> search.ask(outlook.schedule(), outlook.now()))) {
            case BlockerSearch.Answer.Candidates(var candidates, boolean truncated) ->
                new BlockersBody(
                        candidates.stream().map(BlockersController::body).toList(), false, truncated);
            case BlockerSearch.Answer.Fits() -> new BlockersBody(List.of(), true, false);
            case BlockerSearch.Answer.Refused(var reason) -> throw Refusals.problem(reason, RequestFields.terms(body));
        };
    }

    private static CandidateBody body(Candidate candidate) {
        return new CandidateBody(candidate.reservation().value(), Texts.instant(candidate.deadline()), candidate.phi());
    }
}
