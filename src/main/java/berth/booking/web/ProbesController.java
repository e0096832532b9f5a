package berth.booking.web;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.booking.Probes;
import berth.booking.Probes.Answer;
import berth.booking.Probes.Question;
import berth.booking.terms.OrderBy;
import berth.booking.terms.SentOrder;
import berth.booking.terms.TermsBody;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.http.Required;
import berth.http.RestMeters;
import berth.reservation.ClusterId;
import berth.sla.Leeway;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Probes: questions about which slots would fit. They change nothing. */
@RestController
class ProbesController {

    private static final int STANDARD_LIMIT = 20;
    private static final int MAX = 500;

    private final Probes probes;
    private final ClusterLookup lookup;
    private final RestMeters meters;
    private final InstantSource clock;

    ProbesController(Probes probes, ClusterLookup lookup, RestMeters meters, InstantSource clock) {
        this.probes = probes;
        this.lookup = lookup;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * A question about which slots would fit.
     *
     * @param terms the requested terms
     * @param clusters the clusters to search, also at other Berths; all of them, if left out
     * @param orderBy the order of the slots, by one measure or by weights. If left out, the most available slot comes first, and the
     *     earliest among equals; without slack and deadline, the earliest slot
     * @param hold how long you would hold the slot before you confirm it. A held slot cannot be moved, so it earns less discount. Counts in
     *     the prices of clusters of this Berth; not held, if left out
     * @param limit the largest number of slots to return; 20, if left out
     * @param alternatives whether to return slots outside of the window, too, for clusters of this Berth that have none in it
     * @param maxPhi how far from the window alternatives may lie, in run times. Each cluster has a maximum of its own, which applies if
     *     this field is left out or larger
     */
    @Schema(example = "{\"terms\":{\"duration\":\"PT2H\",\"pes\":32}}")
    record ProbeBody(
            @Required @Nullable TermsBody terms,
            @Nullable List<String> clusters,

            @Schema(
                    anyOf = {OrderBy.Word.class, OrderBy.WeightsBody.class},
                    implementation = JsonNode.class)
            @Nullable
            SentOrder orderBy,

            @Nullable String hold,
            @Nullable Integer limit,
            @Nullable Boolean alternatives,
            @Nullable BigDecimal maxPhi) {}

    /**
     * The slots that would fit.
     *
     * @param slots the slots in the requested order, and after them the alternatives, the nearest first; empty if nothing fits
     * @param truncated whether there are more slots, or may be because a cluster of another Berth did not answer in time, or because a cluster offers
     *     no alternatives as far away as {@code maxPhi}
     * @param reason why there are no slots; null if there are some
     */
    record SlotsBody(List<SlotBody> slots, boolean truncated, NoRoom.@Nullable Document reason) {}

    /**
     * Returns the slots that would fit. This call changes nothing and promises nothing. The response has the earliest places in gaps of the
     * schedule that can hold the run, and places that are spread over the window; if nothing fits, it has no slots but a reason. Berth asks clusters of other Berths at the same
     * time with the same terms. It leaves out a cluster that does not answer within a few seconds, and sets {@code truncated}.
     */
    @PostMapping("/api/v1/probes")
    @Refuses({NOT_FOUND, INVALID_TERMS})
    SlotsBody probe(@RequestBody ProbeBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var terms = TermsBody.read(body.terms, fields, clock.instant().getEpochSecond());
        var preference = OrderBy.read(body.orderBy, terms, fields);
        var hold = fields.durationUp("hold", body.hold);
        if (hold.isPresent() && hold.getAsLong() < 1) {
            fields.invalid("hold", body.hold, "must be longer than zero");
        }
        int limit = body.limit == null ? STANDARD_LIMIT : body.limit;
        if (limit < 1 || limit > MAX) {
            fields.invalid("limit", limit, "must lie between 1 and " + MAX);
        }
        if (body.clusters != null && body.clusters.contains(null)) {
            fields.invalid("clusters", null, "must name clusters, none of them null");
        }
        var leeway = fields.figures("", () -> new Leeway(Optional.ofNullable(body.maxPhi), true), Leeway.ANY);
        fields.check();
        var clusters = body.clusters == null
                ? null
                : body.clusters.stream().map(ClusterId::new).toList();
        requireAsked(clusters);
        var start = meters.start();
        var answer = probes.ask(new Question(
                account.customer(),
                terms,
                Optional.ofNullable(clusters),
                preference,
                hold.orElse(0),
                limit,
                Boolean.TRUE.equals(body.alternatives) ? Optional.of(leeway) : Optional.empty()));
        meters.probed(start, !answer.places().isEmpty());
        return answer.places().isEmpty() ? nothing(answer, body) : slots(answer, account);
    }

    private void requireAsked(@Nullable List<ClusterId> clusters) {
        if (clusters == null) {
            lookup.requireAllOpen();
        } else {
            clusters.forEach(lookup::requireKnown);
        }
    }

    private static SlotsBody slots(Answer answer, Account account) {
        var slots = answer.places().stream()
                .map(place -> SlotBody.of(place, account))
                .toList();
        return new SlotsBody(slots, answer.isTruncated(), null);
    }

    /** Returns an empty list with the reason, or throws a problem if the terms contradict themselves. */
    private static SlotsBody nothing(Answer answer, ProbeBody body) {
        var problem = answer.reason()
                .map(why -> Refusals.problem(why, RequestFields.terms(body)))
                .orElseGet(() -> new Problem(
                        ProblemCode.NO_SLOT,
                        answer.silent().isEmpty()
                                ? "There is no cluster that could take the request."
                                : "These clusters do not respond at the moment: %s."
                                        .formatted(answer.silent().stream()
                                                .map(ClusterId::value)
                                                .collect(Collectors.joining(", ")))));
        if (problem.code() == ProblemCode.INVALID_TERMS) {
            throw problem;
        }
        return new SlotsBody(List.of(), answer.isTruncated(), NoRoom.document(problem));
    }
}
