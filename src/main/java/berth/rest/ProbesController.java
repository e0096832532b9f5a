package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;

import berth.desk.Desks;
import berth.scheduling.Alternatives;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Preference;
import berth.scheduling.Preference.Choice;
import berth.scheduling.Probe;
import berth.scheduling.Probe.Offer;
import berth.scheduling.Rejection;
import berth.security.Account;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Probes: terms in, slots out, nothing changes. Answered from the last applied schedules, without waiting for a desk. */
@RestController
class ProbesController {

    private static final int STANDARD_LIMIT = 20;
    private static final int MOST = 500;

    private final Desks desks;
    private final ClusterLookup lookup;
    private final InstantSource clock;
    private final RestMeters meters;

    ProbesController(Desks desks, ClusterLookup lookup, InstantSource clock, RestMeters meters) {
        this.desks = desks;
        this.lookup = lookup;
        this.clock = clock;
        this.meters = meters;
    }

    /**
     * A question what would fit.
     *
     * @param terms what is asked for
     * @param clusters where to look; everywhere, if left out
     * @param orderBy how the slots are sorted, by one measure or by weights; by their start, if left out
     * @param limit the most slots to answer; 20, if left out
     * @param alternatives whether to answer slots outside of the window, too, of clusters that have none in it
     * @param maxPhi how far from the window these may lie, in run times; as far as each cluster allows, if left out, and no
     *     farther
     */
    @Schema(example = "{\"terms\":{\"duration\":\"PT2H\",\"pes\":32}}")
    record ProbeBody(
            @Required @Nullable TermsBody terms,
            @Nullable List<String> clusters,

            @Schema(anyOf = {OrderBy.Word.class, OrderBy.WeightsBody.class}) @Nullable
            JsonNode orderBy,

            @Nullable Integer limit,
            @Nullable Boolean alternatives,
            @Nullable BigDecimal maxPhi) {}

    /**
     * What would fit.
     *
     * @param slots in the order that was asked for, and after them the alternatives, the nearest first; empty where nothing fits
     * @param truncated whether there are more
     * @param reason why there are none; null if there are some
     */
    record SlotsBody(List<SlotBody> slots, boolean truncated, Problem.@Nullable Document reason) {}

    private record Found(String cluster, Offer offer) {
        Choice choice() {
            return Choice.of(cluster, offer);
        }
    }

    private record FoundAlternative(String cluster, Alternative alternative) {

        static final Comparator<FoundAlternative> NEAREST_FIRST =
                Comparator.comparing(found -> found.alternative.phi().abs());
    }

    /**
     * Asks what would fit. Changes nothing and promises nothing. The answer names the earliest place in each gap of the
     * schedule that can hold the run; where nothing fits there are no slots, and a reason.
     */
    @PostMapping("/api/v1/probes")
    @Refuses({NOT_FOUND, INVALID_TERMS, TOO_MANY_REQUESTS})
    SlotsBody probe(@RequestBody ProbeBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        var terms = TermsBody.read(body.terms, fields);
        var preference = OrderBy.read(body.orderBy, fields);
        int limit = body.limit == null ? STANDARD_LIMIT : body.limit;
        if (limit < 1 || limit > MOST) {
            fields.invalid("limit", limit, "must lie between 1 and " + MOST);
        }
        if (body.clusters != null && body.clusters.contains(null)) {
            fields.invalid("clusters", null, "must name clusters, none of them null");
        }
        Remedies.check(fields, "maxPhi", body.maxPhi);
        fields.check();
        var start = meters.start();
        var answer = answer(body, preference, new Probe(terms, account.serviceClass(), limit), account);
        meters.probed(start, !answer.slots.isEmpty());
        return answer;
    }

    private SlotsBody answer(ProbeBody body, Preference preference, Probe probe, Account account) {
        var found = new ArrayList<Found>();
        var alternatives = new ArrayList<FoundAlternative>();
        boolean truncated = false;
        Optional<Rejection> reason = Optional.empty();
        for (var cluster : candidates(body)) {
            var schedule = lookup.schedule(cluster);
            switch (desks.ask(account.name(), probe, schedule)) {
                case Probe.Answer.Offers(var offers, boolean more) -> {
                    offers.forEach(offer -> found.add(new Found(cluster, offer)));
                    truncated |= more;
                }
                case Probe.Answer.Nothing(var why) -> {
                    reason = Optional.of(why);
                    if (Boolean.TRUE.equals(body.alternatives) && Desks.lacksRoom(why)) {
                        var instead = alternatives(body, probe, schedule, account);
                        instead.found().forEach(other -> alternatives.add(new FoundAlternative(cluster, other)));
                        truncated |= instead.truncated();
                    }
                }
            }
        }
        if (found.isEmpty() && alternatives.isEmpty()) {
            return nothing(reason, body);
        }
        var slots = Stream.concat(
                        preference.order(found, Found::choice).stream()
                                .map(one -> SlotBody.of(one.cluster, one.offer, account)),
                        alternatives.stream()
                                .sorted(FoundAlternative.NEAREST_FIRST)
                                .map(one -> SlotBody.of(one.cluster, one.alternative)))
                .limit(probe.limit())
                .toList();
        return new SlotsBody(slots, truncated || slots.size() < found.size() + alternatives.size(), null);
    }

    private Alternatives.Answer alternatives(ProbeBody body, Probe probe, ClusterSchedule schedule, Account account) {
        var question = new Alternatives(
                probe.terms(), probe.serviceClass(), Remedies.maxPhi(schedule, body.maxPhi), probe.limit());
        long now = clock.instant().getEpochSecond();
        return desks.compute(account.name(), () -> question.ask(schedule, now));
    }

    /** Terms that contradict themselves are a mistake; terms that fit nowhere at the moment are an answer. */
    private static SlotsBody nothing(Optional<Rejection> reason, ProbeBody body) {
        var problem = reason.map(why -> Refusals.problem(why, Sent.terms(body)))
                .orElseGet(() -> new Problem(ProblemCode.NO_SLOT, "There are no clusters to ask."));
        if (problem.code() == ProblemCode.INVALID_TERMS) {
            throw problem;
        }
        return new SlotsBody(List.of(), false, problem.document());
    }

    private List<String> candidates(ProbeBody body) {
        return body.clusters == null
                ? desks.clusters().stream().map(cluster -> cluster.id()).toList()
                : body.clusters.stream().distinct().toList();
    }
}
