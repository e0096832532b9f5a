package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;

import berth.broker.Broker;
import berth.broker.ProbedElsewhere;
import berth.broker.Provider;
import berth.broker.Providers;
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
import berth.sla.Leeway;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
    private final Broker broker;
    private final Providers providers;
    private final InstantSource clock;
    private final RestMeters meters;

    ProbesController(
            Desks desks,
            ClusterLookup lookup,
            Broker broker,
            Providers providers,
            InstantSource clock,
            RestMeters meters) {
        this.desks = desks;
        this.lookup = lookup;
        this.broker = broker;
        this.providers = providers;
        this.clock = clock;
        this.meters = meters;
    }

    /**
     * A question what would fit.
     *
     * @param terms what is asked for
     * @param clusters where to look, also at other Berths; everywhere, if left out
     * @param orderBy how the slots are sorted, by one measure or by weights; by their start, if left out
     * @param limit the most slots to answer; 20, if left out
     * @param alternatives whether to answer slots outside of the window, too, of clusters of this Berth that have none in it
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
     * @param truncated whether there are more, or there may be: a cluster of another Berth did not answer in time
     * @param reason why there are none; null if there are some
     */
    record SlotsBody(List<SlotBody> slots, boolean truncated, Problem.@Nullable Document reason) {}

    private record Found(Choice choice, SlotBody slot) {

        static Found of(String cluster, Offer offer, Account account) {
            return new Found(Choice.of(cluster, offer), SlotBody.of(cluster, offer, account));
        }

        static Found of(ProbedElsewhere.Slot slot) {
            return new Found(slot.choice(), SlotBody.of(slot));
        }
    }

    private record FoundAlternative(BigDecimal phi, SlotBody slot) {

        static FoundAlternative of(String cluster, Alternative alternative, Account account) {
            return new FoundAlternative(alternative.phi(), SlotBody.of(cluster, alternative, account));
        }

        static final Comparator<FoundAlternative> NEAREST_FIRST = Comparator.comparing(found -> found.phi.abs());
    }

    /**
     * Asks what would fit. Changes nothing and promises nothing. The answer names the earliest place in each gap of the
     * schedule that can hold the run; where nothing fits there are no slots, and a reason. Clusters of other Berths are asked at
     * the same time with the same terms; one that does not answer within a few seconds is passed over, and {@code truncated}.
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
        var leeway = fields.figures("", () -> new Leeway(Optional.ofNullable(body.maxPhi), true), Leeway.ANY);
        fields.check();
        var start = meters.start();
        var answer = answer(body, preference, new Probe(terms, account.serviceClass(), limit), leeway, account);
        meters.probed(start, !answer.slots.isEmpty());
        return answer;
    }

    /** What was said so far. */
    private static final class Gathered {
        private final List<Found> found = new ArrayList<>();
        private final List<FoundAlternative> alternatives = new ArrayList<>();
        private boolean truncated;
        private Optional<Rejection> reason = Optional.empty();

        boolean isEmpty() {
            return found.isEmpty() && alternatives.isEmpty();
        }

        void add(ProbedElsewhere told) {
            told.slots().stream().map(Found::of).forEach(found::add);
            truncated |= told.isPartial();
            reason = reason.or(told::reason);
        }

        SlotsBody sorted(Preference preference, int limit) {
            var slots = Stream.concat(
                            preference.order(found, Found::choice).stream().map(Found::slot),
                            alternatives.stream()
                                    .sorted(FoundAlternative.NEAREST_FIRST)
                                    .map(FoundAlternative::slot))
                    .limit(limit)
                    .toList();
            return new SlotsBody(slots, truncated || slots.size() < found.size() + alternatives.size(), null);
        }
    }

    private SlotsBody answer(ProbeBody body, Preference preference, Probe probe, Leeway leeway, Account account) {
        var gathered = new Gathered();
        var here = here(body).stream()
                .map(cluster -> Map.entry(cluster, lookup.schedule(cluster)))
                .toList();
        var elsewhere = broker.show(
                probe.terms(),
                probe.limit(),
                elsewhere(body),
                () -> here.forEach(
                        each -> ask(each.getKey(), each.getValue(), body, probe, leeway, account, gathered)));
        gathered.add(elsewhere);
        return gathered.isEmpty()
                ? nothing(gathered.reason, elsewhere, body)
                : gathered.sorted(preference, probe.limit());
    }

    private void ask(
            String cluster,
            ClusterSchedule schedule,
            ProbeBody body,
            Probe probe,
            Leeway leeway,
            Account account,
            Gathered gathered) {
        switch (desks.ask(account.name(), probe, schedule)) {
            case Probe.Answer.Offers(var offers, boolean more) -> {
                offers.forEach(offer -> gathered.found.add(Found.of(cluster, offer, account)));
                gathered.truncated |= more;
            }
            case Probe.Answer.Nothing(var why) -> {
                gathered.reason = Optional.of(why);
                if (Boolean.TRUE.equals(body.alternatives) && why.lacksRoom()) {
                    var instead = alternatives(leeway, probe, schedule, account);
                    instead.found()
                            .forEach(other -> gathered.alternatives.add(FoundAlternative.of(cluster, other, account)));
                    gathered.truncated |= instead.truncated();
                }
            }
        }
    }

    private Alternatives.Answer alternatives(Leeway leeway, Probe probe, ClusterSchedule schedule, Account account) {
        var maxPhi = leeway.maxPhi(schedule.cluster().policy().alternativesMaxPhi());
        var question = new Alternatives(probe.terms(), probe.serviceClass(), maxPhi, probe.limit());
        long now = clock.instant().getEpochSecond();
        return desks.compute(account.name(), () -> question.ask(schedule, now));
    }

    /** Terms that contradict themselves are a mistake; terms that fit nowhere at the moment are an answer. */
    private static SlotsBody nothing(Optional<Rejection> reason, ProbedElsewhere elsewhere, ProbeBody body) {
        var problem = reason.map(why -> Refusals.problem(why, Sent.terms(body)))
                .orElseGet(() -> new Problem(
                        ProblemCode.NO_SLOT,
                        elsewhere.silent().isEmpty()
                                ? "There are no clusters to ask."
                                : "These clusters do not answer at the moment: %s."
                                        .formatted(String.join(", ", elsewhere.silent()))));
        if (problem.code() == ProblemCode.INVALID_TERMS) {
            throw problem;
        }
        return new SlotsBody(List.of(), elsewhere.isPartial(), problem.document());
    }

    private List<String> here(ProbeBody body) {
        return body.clusters == null
                ? desks.clusters().stream().map(cluster -> cluster.id()).toList()
                : body.clusters.stream()
                        .distinct()
                        .filter(cluster -> providers.find(cluster).isEmpty())
                        .toList();
    }

    private List<Provider> elsewhere(ProbeBody body) {
        return body.clusters == null
                ? providers.all()
                : body.clusters.stream()
                        .distinct()
                        .flatMap(cluster -> providers.find(cluster).stream())
                        .toList();
    }
}
