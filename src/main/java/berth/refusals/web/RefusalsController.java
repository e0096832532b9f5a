package berth.refusals.web;

import berth.accounts.Account;
import berth.booking.terms.TermsBody;
import berth.booking.web.RefusedRequests;
import berth.booking.web.Rights;
import berth.http.Fields;
import berth.http.Page;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.Texts;
import berth.refusals.Acceptance;
import berth.refusals.Acceptance.Cell;
import berth.refusals.Acceptance.Count;
import berth.refusals.Acceptance.Lead;
import berth.refusals.Acceptance.Size;
import berth.refusals.PostgresRefusals;
import berth.refusals.PostgresRefusals.Filter;
import berth.refusals.PostgresRefusals.Recorded;
import berth.refusals.RefusedRequest.Kind;
import berth.refusals.RefusedRequest.WouldHaveFit;
import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Refused requests: why, and what would have fitted. */
@RestController
@RequestMapping("/api/v1/refusals")
class RefusalsController {

    /** The usual period of a summary. */
    private static final Duration USUAL = Duration.ofDays(7);

    private final PostgresRefusals refusals;
    private final Rights rights;
    private final InstantSource clock;
    private final Duration kept;

    RefusalsController(
            PostgresRefusals refusals,
            Rights rights,
            InstantSource clock,
            @Value("${berth.refusals.retention}") Duration kept) {
        this.refusals = refusals;
        this.rights = rights;
        this.clock = clock;
        this.kept = kept;
    }

    /**
     * A request for room that was refused.
     *
     * @param at when it was refused
     * @param kind the kind of request
     * @param account the account that made the request
     * @param project the project that the client filed the request under
     * @param cluster the cluster, if the request allowed only one
     * @param clusters the clusters that the request allowed, if it named several; null if it allowed one, or any
     * @param reservation the reservation that the request would have changed; null for a new one
     * @param terms the requested terms; for an extension, those with the longer run
     * @param start the exact start that was requested
     * @param code the code of the problem
     * @param detail why the request was refused, and what to do about it
     * @param wouldFit the changes that would have made the request fit at that time; null if the problem named none
     * @param requestId the X-Request-Id of the call; null if Berth refused the request later, in a round or after a wait
     */
    @Schema(name = "RefusedRequest")
    record RefusedRequestBody(
            Instant at,
            Kind kind,
            String account,
            @Nullable String project,
            @Nullable String cluster,
            @Nullable List<String> clusters,
            @Nullable UUID reservation,
            TermsBody terms,
            @Nullable Instant start,
            ProblemCode code,
            String detail,
            @Nullable WouldHaveFitBody wouldFit,
            @Nullable String requestId) {

        private static RefusedRequestBody of(Recorded recorded) {
            var refused = recorded.request();
            var clusters =
                    refused.clusters().stream().map(ClusterId::value).sorted().toList();
            return new RefusedRequestBody(
                    Texts.instant(refused.at()),
                    refused.kind(),
                    refused.account().value(),
                    Texts.orNull(refused.project()),
                    clusters.size() == 1 ? clusters.getFirst() : null,
                    clusters.size() > 1 ? clusters : null,
                    Texts.orNull(refused.reservation().map(ReservationId::value)),
                    TermsBody.of(refused.terms()),
                    Texts.instant(refused.start()),
                    RefusedRequests.problemCode(refused.code()),
                    refused.detail(),
                    WouldHaveFitBody.of(refused.wouldFit()),
                    Texts.orNull(refused.requestId()));
        }
    }

    /**
     * The changes that would have made a request fit when it was refused, each on its own.
     *
     * @param deadline the earliest deadline that would have done
     * @param pes the largest number of PEs that would have fitted
     * @param duration the longest duration that would have fitted
     */
    @Schema(name = "WouldHaveFit")
    record WouldHaveFitBody(
            @Nullable Instant deadline,
            @Nullable Integer pes,
            @Nullable String duration) {

        private static @Nullable WouldHaveFitBody of(WouldHaveFit would) {
            return would.equals(WouldHaveFit.NOTHING)
                    ? null
                    : new WouldHaveFitBody(
                            Texts.instant(would.deadline()),
                            would.pes().isPresent() ? would.pes().getAsInt() : null,
                            Texts.duration(would.duration()));
        }
    }

    /**
     * How many requests were accepted and refused in a period.
     *
     * @param from start of the period; not before the time from which refused requests are kept
     * @param to end of the period
     * @param refused number of refused requests, changes of reservations included, by problem code
     * @param bySizeAndLead requests for new reservations by the number of PEs and the lead
     * @param truncated whether the period had more than 50,000 accepted or refused requests, of which only the latest are counted
     */
    @Schema(name = "RefusalSummary")
    record SummaryBody(
            Instant from,
            Instant to,
            Map<String, Long> refused,
            List<AcceptanceBody> bySizeAndLead,
            boolean truncated) {}

    /**
     * The requests of a range of sizes and leads. The size of a run with several shapes is that of its largest, or of the shape that it got.
     *
     * @param minPes the smallest number of PEs
     * @param maxPes the largest number of PEs; null if there is none
     * @param lead the range of the time from a request to its earliest start
     * @param accepted number of requests that clusters of this Berth accepted
     * @param refused number of requests that were refused
     */
    @Schema(name = "Acceptance")
    record AcceptanceBody(int minPes, @Nullable Integer maxPes, Lead lead, long accepted, long refused) {

        private static AcceptanceBody of(Size size, Lead lead, Count count) {
            return new AcceptanceBody(size.least(), Texts.orNull(size.most()), lead, count.accepted(), count.refused());
        }
    }

    /**
     * Reads how many requests for room were accepted and refused in a period, by code, and by size and lead.
     *
     * @param from start of the period; seven days before {@code to} if left out
     * @param to end of the period; now if left out
     * @param cluster the only cluster to count: what it accepted, and the refused requests that allowed it, or any
     */
    @GetMapping("/summary")
    SummaryBody summarizeRefusals(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String cluster) {
        var fields = new Fields();
        long now = clock.instant().getEpochSecond();
        long end = fields.instantUp("to", to).orElse(now + 1);
        long begin = fields.instantDown("from", from).orElse(end - USUAL.toSeconds());
        var only = fields.label("cluster", cluster).map(ClusterId::new);
        if (begin >= end) {
            fields.malformed("to", to, "must lie after from");
        }
        if (end <= now - kept.toSeconds()) {
            fields.malformed(
                    "to",
                    to,
                    "must not be earlier than refused requests are kept, which is since %s"
                            .formatted(Texts.instant(now - kept.toSeconds())));
        }
        fields.check();
        long first = Math.max(begin, now - kept.toSeconds());
        var counted = refusals.acceptance(new Slot(first, end), only);
        var refused = new TreeMap<String, Long>();
        counted.refused().forEach((code, number) -> refused.put(code.word(), number));
        return new SummaryBody(Texts.instant(first), Texts.instant(end), refused, grid(counted), counted.isTruncated());
    }

    private static List<AcceptanceBody> grid(Acceptance counted) {
        return Arrays.stream(Size.values())
                .flatMap(size -> Arrays.stream(Lead.values())
                        .map(lead -> AcceptanceBody.of(
                                size, lead, counted.cells().getOrDefault(new Cell(size, lead), Count.NONE))))
                .toList();
    }

    /**
     * Lists refused requests for room of the last weeks, newest first. An account sees its own, an administrator or viewer all, and an
     * owner of a project those of the project by naming it in {@code project}. Berth records a refusal within a second. The list may lack
     * some: Berth keeps as many of each account as `berth.refusals.per-account` allows, and none that it could not record.
     *
     * @param cluster lists only requests that allowed this cluster, or any
     * @param project the only project to list
     * @param code the only code to list
     * @param account the only account to list
     * @param from lists only requests that were refused at this instant or later
     * @param to lists only requests that were refused before this instant
     */
    @GetMapping
    @Refuses(ProblemCode.INVALID_TERMS)
    Page<RefusedRequestBody> listRefusals(
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String code,
            @RequestParam @Nullable String account,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account caller) {
        var fields = new Fields();
        var filed = fields.label("project", project);
        var named = fields.label("account", account).map(AccountName::new);
        var own = rights.listedRefusals(caller, filed);
        var filter = new Filter(
                own.or(() -> named),
                filed,
                fields.label("cluster", cluster).map(ClusterId::new),
                code(code, fields),
                fields.instantDown("from", from),
                fields.instantUp("to", to));
        own.filter(name -> named.filter(other -> !other.equals(name)).isPresent())
                .ifPresent(name -> fields.invalid(
                        "account",
                        account,
                        "must be your own account, or left out; owners of a project see others with its project"));
        fields.check();
        int most = Page.limit(limit);
        var olderThan =
                Optional.ofNullable(after).map(cursor -> Texts.uuid(cursor).orElseThrow(() -> Page.badCursor(cursor)));
        Page.Source<Recorded> found =
                Page.Source.of(olderThan, Recorded::id, (last, some) -> refusals.newest(filter, last, some));
        return Page.read(most, found, RefusedRequestBody::of)
                .page(recorded -> recorded.id().toString());
    }

    private static Optional<RefusalCode> code(@Nullable String word, Fields fields) {
        var code = Optional.ofNullable(word).flatMap(RefusedRequests::code);
        if (word != null && code.isEmpty()) {
            fields.malformed("code", word, "must be one of " + RefusedRequests.codes());
        }
        return code;
    }
}
