package berth.service;

import berth.booking.Action;
import berth.booking.BookedReservation;
import berth.booking.Broker;
import berth.booking.Request;
import berth.booking.ReservationOrRequest;
import berth.booking.Reservations;
import berth.booking.Reservations.ActionOutcome;
import berth.booking.terms.TermsBody;
import berth.booking.web.ReservationBodies;
import berth.engine.AdmissionControl;
import berth.engine.Agents;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.outcome.Outcome;
import berth.peers.WireTerms;
import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Rejection;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.ServiceClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls that another Berth makes to a service, without HTTP but in the JSON of the API. For tests with several Berths and no network.
 */
public final class Door {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Writes terms in the JSON for other Berths. */
    public static final WireTerms WIRE = terms -> JSON.valueToTree(TermsBody.of(terms));

    private final Desks desks;
    private final AdmissionControl admission;
    private final Reservations reservations;
    private final ReservationBodies bodies;
    private final java.time.InstantSource clock;
    private final Supplier<UUID> ids;

    /** A response. */
    public record Said(int status, JsonNode body) {}

    public Door(Desks desks, Reservations reservations, java.time.InstantSource clock, Supplier<UUID> ids) {
        this.desks = desks;
        this.admission = new AdmissionControl(desks);
        this.reservations = reservations;
        this.bodies = new ReservationBodies(desks, new Agents(clock, new SimpleMeterRegistry()), clock);
        this.clock = clock;
        this.ids = ids;
    }

    /** Returns the card of a cluster. */
    public static JsonNode card(berth.cluster.Cluster cluster) {
        var card = JSON.createObjectNode();
        card.put("pes", cluster.pes());
        card.put("rating", cluster.rating());
        card.putObject("tariff").put("currency", cluster.tariff().currency().getCurrencyCode());
        card.putObject("policy").put("alternativesMaxPhi", cluster.policy().alternativesMaxPhi());
        return card;
    }

    /** Executes a call of an account. Returns status 503 while the service is unavailable. */
    public Said call(
            AccountName account, String path, Optional<JsonNode> body, Optional<String> key, OptionalInt version) {
        var steps = path.split("/");
        return switch (steps[1]) {
            case "clusters" ->
                new Said(
                        200,
                        card(desks.schedule(new ClusterId(steps[2]))
                                .orElseThrow()
                                .cluster()));
            case "probes" -> probe(account, body.orElseThrow());
            default -> {
                if (steps.length == 2) {
                    yield reserve(account, body.orElseThrow(), key);
                }
                var id = new ReservationId(UUID.fromString(steps[2]));
                yield steps.length == 3 ? find(account, id) : act(account, id, steps[3], version, key);
            }
        };
    }

    private Said probe(AccountName account, JsonNode body) {
        var cluster = new ClusterId(body.path("clusters").path(0).asString());
        var probe = new Probe(
                terms(body),
                new Customer(account, ServiceClass.STANDARD),
                Preference.EARLIEST_START,
                body.path("limit").asInt());
        var answer = JSON.createObjectNode();
        answer.put("truncated", false);
        var slots = answer.putArray("slots");
        switch (admission.offers(account, probe, desks.outlook(cluster).orElseThrow())) {
            case Outcome.Done(Probe.Offers(var offers, boolean _)) ->
                offers.forEach(offer -> {
                    var slot = slots.addObject();
                    slot.put(
                            "start", Instant.ofEpochSecond(offer.slot().start()).toString());
                    slot.put("end", Instant.ofEpochSecond(offer.slot().end()).toString());
                    slot.set("price", JSON.valueToTree(MoneyBody.of(offer.price())));
                    slot.put("withinBudget", offer.withinBudget());
                    slot.put("availability", offer.availability());
                    slot.put("chosenByPolicy", offer.chosen());
                });
            case Outcome.NotDone(var reason) -> {
                if (!reason.lacksRoom()) {
                    return refused(reason);
                }
                answer.set("reason", problem(reason));
            }
        }
        return new Said(200, answer);
    }

    private berth.sla.RequestedTerms terms(JsonNode body) {
        var terms = JSON.treeToValue(body.path("terms"), TermsBody.class);
        return TermsBody.read(terms, new Fields(terms), clock.instant().getEpochSecond());
    }

    private Said reserve(AccountName account, JsonNode body, Optional<String> key) {
        var terms = terms(body);
        var start = body.has("start")
                ? OptionalLong.of(Instant.parse(body.path("start").asString()).getEpochSecond())
                : OptionalLong.empty();
        var cluster = new ClusterId(body.path("cluster").asString());
        var request = new Request(
                new ReservationId(ids.get()),
                new Origin(
                        account,
                        ServiceClass.STANDARD,
                        ClientLabels.NONE.with(
                                "name", Optional.of(body.path("name").asString()))),
                AccountLimits.NONE,
                start.isPresent() ? terms.fixing(terms.fixing().atOnce()) : terms,
                start,
                OptionalLong.of(Duration.parse(body.path("hold").asString()).toSeconds()),
                Preference.EARLIEST_START,
                Optional.empty(),
                Set.of(cluster));
        var use = key.map(value -> new KeyUse(account, value, body.toString()));
        return switch (reservations.reserve(cluster, request, 5, OptionalLong.empty(), use)) {
            case Broker.Outcome.Granted(var booked) -> new Said(201, tree(booked));
            case Broker.Outcome.Ended(var answer) -> said(answer);
            default -> throw new AssertionError("A hold at one cluster is granted or not.");
        };
    }

    private Said find(AccountName account, ReservationId id) {
        return reservations
                .find(id, known -> known.owner().equals(account))
                .map(known -> new Said(200, tree(known)))
                .orElseGet(() -> new Said(404, JSON.createObjectNode()));
    }

    private Said act(AccountName account, ReservationId id, String word, OptionalInt version, Optional<String> key) {
        var action = Action.valueOf(word.toUpperCase(Locale.ROOT));
        var use = key.map(value -> new KeyUse(account, value, id + word));
        var known = reservations.find(id, found -> found.owner().equals(account));
        if (known.isEmpty()) {
            return new Said(404, JSON.createObjectNode());
        }
        return switch (reservations.act(known.get(), action, version, account, use)) {
            case ActionOutcome.Done(var after) -> new Said(200, tree(after));
            case ActionOutcome.WrongState _ ->
                new Said(409, JSON.createObjectNode().put("code", "wrong-state"));
            case ActionOutcome.NotDone(var answer) -> said(answer);
            case ActionOutcome.RefusedThere _, ActionOutcome.Silent _ -> throw new AssertionError("It lies here.");
        };
    }

    private JsonNode tree(ReservationOrRequest known) {
        return JSON.valueToTree(bodies.of(known instanceof BookedReservation booked ? booked : known));
    }

    private static Said said(Answer answer) {
        return answer instanceof Answer.Refused(var reason)
                ? refused(reason)
                : new Said(503, JSON.createObjectNode().put("code", "unavailable"));
    }

    private static Said refused(Rejection reason) {
        return new Said(reason.lacksRoom() ? 409 : 422, problem(reason));
    }

    private static ObjectNode problem(Rejection reason) {
        return JSON.createObjectNode().put("code", reason.code().word());
    }
}
