package berth.process;

import static java.util.stream.Collectors.toSet;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.proof.Promise;
import berth.proof.Recorded;
import berth.proof.Recorded.About;
import berth.proof.Standing;
import berth.proof.Told;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.time.Slot;
import berth.time.Window;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Reads the service's answers for the checker. */
final class Wire {

    /** The most attempts to read everything before the clock changes something. */
    private static final int MAX_READINGS = 500;

    private Wire() {}

    /** Returns the terms of a rigid run in the form of {@link Standing#terms}. */
    static String terms(Instant readyTime, Instant deadline, Duration duration, int pes) {
        return "%s on %d PEs from %s to %s".formatted(duration, pes, readyTime, deadline);
    }

    static Promise promise(JsonNode reservation) {
        return new Promise(
                id(reservation.path("id")),
                new ClusterId(reservation.path("cluster").asString()),
                new AccountName(reservation.path("owner").asString()),
                reservation.path("name").asString(""),
                standing(reservation));
    }

    /** The events seen so far by one account, which are read incrementally. */
    private static final class Feed {

        private final Api api;
        private final List<Recorded> read = new ArrayList<>();
        private String after = "";

        Feed(Api api) {
            this.api = api;
        }

        /** Reads to the end and returns what is new. */
        List<Recorded> more() throws IOException {
            int before = read.size();
            JsonNode page;
            do {
                page = api.get("/events?limit=500" + after).body();
                page.path("items").forEach(event -> read.add(recorded(event)));
                after = page.path("next").isString()
                        ? "&after=" + page.path("next").asString()
                        : after;
            } while (!page.path("items").isEmpty());
            return List.copyOf(read.subList(before, read.size()));
        }
    }

    /** Reads everything, again and again until nothing changes meanwhile. */
    static Told read(Api admin, Map<AccountName, Api> accounts, Map<ClusterId, Integer> pes) throws IOException {
        var events = new Feed(admin);
        events.more();
        var all = new LinkedHashMap<ReservationId, JsonNode>();
        for (var one : admin.all("/reservations")) {
            all.put(id(one.path("id")), one);
        }
        var feeds = new HashMap<AccountName, Feed>();
        var own = new HashMap<AccountName, Set<ReservationId>>();
        for (var account : accounts.entrySet()) {
            feeds.put(account.getKey(), new Feed(account.getValue()));
            own.put(
                    account.getKey(),
                    account.getValue().all("/reservations").stream()
                            .map(one -> id(one.path("id")))
                            .collect(toSet()));
        }
        for (int reading = 0; reading < MAX_READINGS; reading++) {
            var news = events.more();
            boolean isStill = news.isEmpty();
            for (var feed : feeds.values()) {
                isStill &= feed.more().isEmpty();
            }
            if (isStill) {
                var seen = new HashMap<AccountName, Told.Seen>();
                feeds.forEach((name, feed) ->
                        seen.put(name, new Told.Seen(own.getOrDefault(name, Set.of()), feed.read)));
                return told(pes, events.read, List.copyOf(all.values()), seen);
            }
            for (var event : news) {
                if (event.about() instanceof Recorded.OfReservation(var id, var _)) {
                    all.put(id, admin.get("/reservations/" + id.value()).body());
                }
            }
        }
        throw new IllegalStateException("Something happens all the time: %d readings".formatted(MAX_READINGS));
    }

    private static Told told(
            Map<ClusterId, Integer> pes, List<Recorded> events, List<JsonNode> all, Map<AccountName, Told.Seen> seen) {
        var reservations = new ArrayList<Promise>();
        var requests = new ArrayList<Told.Request>();
        for (var one : all) {
            if (one.path("placement").isObject()) {
                reservations.add(promise(one));
            } else {
                requests.add(new Told.Request(
                        id(one.path("id")),
                        new ClusterId(one.path("cluster").asString()),
                        new AccountName(one.path("owner").asString()),
                        one.path("name").asString(""),
                        IntakeRequest.State.valueOf(one.path("state").asString())));
            }
        }
        return new Told(pes, reservations, requests, events, seen);
    }

    private static Recorded recorded(JsonNode event) {
        var type = Event.Type.valueOf(
                event.path("type").asString().toUpperCase(Locale.ROOT).replace('-', '_'));
        var cluster = new ClusterId(event.path("cluster").asString());
        return new Recorded(
                cluster,
                event.path("sequence").asLong(),
                type,
                seconds(event.path("at")),
                about(type, cluster, event.path("reservation"), event.path("data")));
    }

    private static About about(Event.Type type, ClusterId cluster, JsonNode concerned, JsonNode data) {
        return switch (type) {
            case CLUSTER_CHANGED -> new Recorded.OfCluster(data.path("pes").asInt());
            case SIGNAL_CHANGED -> new Recorded.OfSignal();
            case OUTAGE_RECORDED, OUTAGE_BEGAN, OUTAGE_ENDED -> new Recorded.OfOutage(outage(cluster, data));
            case JOB_QUEUED, JOB_STARTED, JOB_REQUEUED, JOB_COMPLETED, JOB_CANCELLED ->
                new Recorded.OfJob(UUID.fromString(data.path("job").asString()), run(data));
            case JOB_DELAYED ->
                new Recorded.OfDelay(new AccountName(data.path("owner").asString()));
            case JOBS_REPLACED -> new Recorded.OfQueue(Map.of());
            case REQUESTED -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.PENDING);
            case GRANTED -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.GRANTED);
            case REJECTED -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.REJECTED);
            case WAITING -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.WAITING);
            case WAIT_EXPIRED -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.EXPIRED);
            case WITHDRAWN -> new Recorded.OfRequest(id(concerned), IntakeRequest.State.CANCELLED);
            case BUDGET_LOW -> new Recorded.OfBudget(data.path("project").asString());
            default -> new Recorded.OfReservation(id(concerned), standing(data));
        };
    }

    private static Standing standing(JsonNode body) {
        var terms = body.path("terms");
        var readyTime = Instant.parse(terms.path("readyTime").asString());
        var deadline = Instant.parse(terms.path("deadline").asString());
        var lacks = body.at("/losses/lacks").valueStream().map(Wire::part).toList();
        var parts = body.at("/placement/parts")
                .valueStream()
                .map(part -> withLacking(part(part), lacks, body.at("/losses/since")))
                .toList();
        return new Standing(
                ReservationState.valueOf(body.path("state").asString()),
                text(body.path("reason")).map(EndReason::valueOf),
                terms(
                        readyTime,
                        deadline,
                        Duration.parse(terms.path("duration").asString()),
                        terms.path("pes").asInt()),
                new Window(readyTime.getEpochSecond(), deadline.getEpochSecond()),
                parts,
                lacks,
                new Money(
                        body.at("/price/amount").asDecimal(),
                        Currency.getInstance(body.at("/price/currency").asString())));
    }

    /** Returns a part with the PEs that it lacks since that time. */
    private static Part withLacking(Part part, List<Part> lacks, JsonNode since) {
        return lacks.stream()
                .filter(lack ->
                        lack.slot().start() <= seconds(since) && part.slot().contains(seconds(since)))
                .findFirst()
                .map(lack -> new Part(
                        part.slot(),
                        part.pes() + lack.pes(),
                        part.peIds().flatMap(ids -> lack.peIds().map(ids::or)),
                        1))
                .orElse(part);
    }

    private static Part part(JsonNode part) {
        return new Part(
                new Slot(seconds(part.path("start")), seconds(part.path("end"))),
                part.path("pes").asInt(),
                text(part.path("peIds")).map(PeSet::parse),
                1);
    }

    private static Optional<Part> run(JsonNode job) {
        return job.path("state").asString().equals("RUNNING") ? Optional.of(part(job)) : Optional.empty();
    }

    private static Outage outage(ClusterId cluster, JsonNode data) {
        return new Outage(
                new OutageId(UUID.fromString(data.path("outage").asString())),
                cluster,
                data.path("pes").asInt(),
                text(data.path("peIds")).map(PeSet::parse),
                seconds(data.path("from")),
                secondsIfAny(data.path("to")),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                secondsIfAny(data.path("endedAt")));
    }

    private static ReservationId id(JsonNode text) {
        return new ReservationId(UUID.fromString(text.asString()));
    }

    private static Optional<String> text(JsonNode node) {
        return node.isString() ? Optional.of(node.asString()) : Optional.empty();
    }

    private static long seconds(JsonNode instant) {
        return Instant.parse(instant.asString()).getEpochSecond();
    }

    private static OptionalLong secondsIfAny(JsonNode instant) {
        return instant.isString() ? OptionalLong.of(seconds(instant)) : OptionalLong.empty();
    }
}
