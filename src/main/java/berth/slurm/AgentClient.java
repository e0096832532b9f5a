package berth.slurm;

import berth.availability.PeSet;
import berth.slurm.Owners.Owner;
import berth.terminal.HttpResult;
import berth.terminal.ServiceClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The calls that an agent makes to Berth, with the account of its cluster. */
final class AgentClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** The name of the agent's own outages in Berth. */
    private static final String SOURCE = "slurm";

    /** Slurm wants somebody who may use a reservation. */
    private static final SortedSet<String> MAINTAINERS = new TreeSet<>(Set.of("root"));

    private static final int MALFORMED = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final String api;
    private final String cluster;
    private final ServiceClient http;
    private Duration clockAhead = Duration.ZERO;

    /**
     * Creates a client.
     *
     * @param api the address of the service, including {@code /api/v1}
     */
    AgentClient(String api, String token, String cluster, InstantSource clock) {
        this.api = api;
        this.cluster = cluster;
        this.http = new ServiceClient(api, token, clock);
    }

    /**
     * The size and node names of a cluster.
     *
     * @param granule the number of its PEs per node
     * @param peNames the names of its nodes; empty if Berth has none
     */
    record Card(int pes, int granule, Optional<String> peNames) {

        /**
         * Returns the nodes of the cluster.
         *
         * @param named the names of its nodes; empty for the names that Berth has
         * @throws IllegalArgumentException if there are no names, or if they contradict those that Berth has
         */
        NodeList nodes(Optional<String> named) {
            var list = named.or(() -> peNames)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The cluster has no peNames. Give --nodes with its nodes in the order of its PEs."));
            var nodes = NodeList.of(granule, list).first(pes);
            if (peNames.isPresent()
                    && !NodeList.of(granule, peNames.get())
                            .first(nodes.pes(nodes.size()))
                            .names()
                            .equals(nodes.names())) {
                throw new IllegalArgumentException(
                        "The nodes differ from the cluster's peNames, %s. Leave out --nodes.".formatted(peNames.get()));
            }
            return nodes;
        }
    }

    /** Returns how much the agent's clock was at least ahead of Berth's in the last call; negative if it was behind. */
    Duration clockAhead() {
        return clockAhead;
    }

    /** Reads the cluster. */
    Card card() {
        var response = read("/clusters/" + cluster);
        int pes = response.path("pes").asInt();
        int granule = response.path("granule").asInt(1);
        if (pes < 1 || granule < 1) {
            throw new BerthUnavailable("The response at %s is not a cluster of Berth. Check --url.".formatted(api));
        }
        return new Card(
                pes,
                granule,
                Optional.of(response.path("peNames")).filter(JsonNode::isString).map(JsonNode::asString));
    }

    /**
     * Reads what Berth has promised from now on.
     *
     * @param prefix the prefix of the names of Slurm reservations
     * @param ahead how far to read if the whole plan is too large for one response
     */
    AgentPlan plan(NodeList nodes, UserMap users, String prefix, Instant now, Duration ahead) {
        var response = schedule("RESERVATION", now, ahead);
        // outages are read later, so that they are at least as new
        var maintenances = maintenances(schedule("OUTAGE", now, ahead), nodes, prefix, now);
        var wanted = new ArrayList<MachineReservation>();
        var owners = new HashMap<String, Owner>();
        var running = new HashSet<UUID>();
        var impossible = new HashMap<String, AgentPlan.Refusal>();
        for (var placement : response.path("placements")) {
            var state = placement.path("state").asString();
            if (!state.equals("CONFIRMED") && !state.equals("RUNNING")) {
                continue;
            }
            var id = UUID.fromString(placement.path("id").asString());
            if (state.equals("RUNNING")) {
                running.add(id);
            }
            var name = "%s%s.%d".formatted(prefix, id, placement.path("part").asInt());
            var account = placement.path("owner").asString();
            var its = users(placement, users);
            var all = Stream.concat(its.stream(), users.of(account).stream()).collect(Collectors.toSet());
            owners.put(name, new Owner(account, all));
            var peIds = placement.path("peIds");
            if (!peIds.isString()) {
                impossible.put(
                        name,
                        new AgentPlan.Refusal("Its PEs are not final yet. Set the cluster's binding to EARLY.", null));
                continue;
            }
            var pes = PeSet.parse(peIds.asString());
            if (pes.length() > nodes.pes(nodes.size())) {
                impossible.put(
                        name,
                        new AgentPlan.Refusal(
                                "It has PEs up to number %d, but there are only %d nodes."
                                        .formatted(pes.length() - 1, nodes.size()),
                                null));
                continue;
            }
            wanted.add(new MachineReservation(
                    name,
                    Instant.parse(placement.path("start").asString()).getEpochSecond(),
                    Instant.parse(placement.path("end").asString()).getEpochSecond(),
                    nodes.names(pes),
                    its));
        }
        return new AgentPlan(response.path("sequence").asLong(), wanted, maintenances, owners, running, impossible);
    }

    private JsonNode schedule(String kind, Instant now, Duration ahead) {
        var path = "/clusters/%s/schedule?kind=%s&from=%s".formatted(cluster, kind, now);
        var all = http.get(path, PATIENCE);
        var response = received(all).status() == MALFORMED ? read(path + "&to=" + now.plus(ahead)) : answer(path, all);
        if (!response.path("placements").isArray()) {
            throw new BerthUnavailable("The response at %s is not a plan of Berth. Check --url.".formatted(api));
        }
        return response;
    }

    /** Returns a reservation for each outage that the agent has not reported itself. */
    private static List<MachineReservation> maintenances(
            JsonNode response, NodeList nodes, String prefix, Instant now) {
        var maintenances = new ArrayList<MachineReservation>();
        for (var outage : response.path("placements")) {
            var peIds = outage.path("peIds");
            if (outage.path("source").asString("").equals(SOURCE) || !peIds.isString()) {
                continue;
            }
            // an outage may name PEs that the cluster has lost since
            var out = nodes.namesWithin(PeSet.parse(peIds.asString()));
            if (!out.isEmpty()) {
                long start = Instant.parse(outage.path("start").asString()).getEpochSecond();
                long end = outage.path("end").isString()
                        ? Instant.parse(outage.path("end").asString()).getEpochSecond()
                        : endless(start, now.getEpochSecond());
                var id = UUID.fromString(outage.path("id").asString());
                maintenances.add(new MachineReservation(
                        MachineReservation.nameOfMaintenance(prefix, id), start, end, out, MAINTAINERS));
            }
        }
        return maintenances;
    }

    /** Returns the end in Slurm of an outage that lasts until it is ended: more than a year ahead, and the same for a year. */
    private static long endless(long start, long now) {
        long year = Duration.ofDays(365).toSeconds();
        return start + year * (2 + Math.max(0, now - start) / year);
    }

    /** Returns the users that the reservation names, or else those of its owner. */
    private static SortedSet<String> users(JsonNode placement, UserMap map) {
        var named = placement.path("users");
        return named.isEmpty()
                ? map.of(placement.path("owner").asString())
                : named.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Events of the cluster.
     *
     * @param isAny whether there were any
     * @param cursor the position after them
     */
    record News(boolean isAny, Optional<String> cursor) {}

    /**
     * Waits until there is an event of the cluster, or until the time is over.
     *
     * @param after the position after which to read; empty to read from {@code from} on
     */
    News news(Optional<String> after, Instant from, Duration wait) {
        var path = "/events?limit=500&" + after.map(cursor -> "after=" + cursor).orElse("from=" + from);
        var page = answer(path, http.getAndWait(path, wait, PATIENCE));
        return new News(
                !page.path("items").isEmpty(),
                Optional.of(page.path("next")).filter(JsonNode::isString).map(JsonNode::asString));
    }

    /** Reports jobs. Returns the jobs that Berth did not accept, each as a sentence. */
    List<String> reportJobs(List<AgentReport.Job> jobs) {
        var answer = put("/clusters/%s/jobs".formatted(cluster), new AgentReport.Jobs(jobs));
        return leftOut(answer, "job", "name");
    }

    /** Reports outages. Returns the outages that Berth did not accept, each as a sentence. */
    List<String> reportOutages(List<AgentReport.Outage> outages) {
        var answer = put("/clusters/%s/outages/%s".formatted(cluster, SOURCE), new AgentReport.Outages(outages));
        return leftOut(answer, "outage of PEs", "peIds");
    }

    private static List<String> leftOut(JsonNode answer, String what, String name) {
        return answer.path("leftOut")
                .valueStream()
                .map(out -> "Berth did not accept %s %s: %s %s"
                        .formatted(
                                what,
                                out.path(name).asString(),
                                // without the position in the list, which changes between reports
                                out.path("field").asString().replaceFirst("^.*\\.", ""),
                                out.path("message").asString()))
                .toList();
    }

    /**
     * Reports which agent puts reservations in place, and the state of parts.
     *
     * @throws BerthUnavailable if the report fails, or if another agent acts for the cluster
     */
    void report(AgentReport.Enforcement enforcement) {
        var unused = put("/clusters/%s/enforcement".formatted(cluster), enforcement);
    }

    /** Claims a reservation whose jobs have begun. Returns whether it is claimed or needs no claim. */
    boolean claim(UUID reservation) {
        int status = received(http.post("/reservations/%s/claim".formatted(reservation), PATIENCE))
                .status();
        return status == 200 || status == CONFLICT || status == NOT_FOUND;
    }

    /** Checks whether Berth has ever had a reservation with an id on this cluster. */
    boolean hasRecordedReservation(UUID id) {
        return hasRecorded("/reservations/" + id);
    }

    /** Checks whether Berth has ever had an outage with an id on this cluster. */
    boolean hasRecordedOutage(UUID id) {
        return hasRecorded("/clusters/%s/outages/%s".formatted(cluster, id));
    }

    private boolean hasRecorded(String path) {
        var reply = http.get(path, PATIENCE);
        return received(reply).status() != NOT_FOUND
                && answer(path, reply).path("id").isString();
    }

    private JsonNode read(String path) {
        return answer(path, http.get(path, PATIENCE));
    }

    private JsonNode put(String path, Object body) {
        return answer(path, http.put(path, body, PATIENCE));
    }

    /** Returns the JSON of a response. A response that is not JSON does not come from Berth, whatever its status. */
    private JsonNode answer(String path, HttpResult reply) {
        var response = received(reply);
        if (response.status() != 200) {
            throw new BerthUnavailable("%s was answered with %s".formatted(path, response.message()));
        }
        if (response.body().isMissingNode()) {
            throw new BerthUnavailable("The server at %s is not Berth. Check --url.".formatted(api));
        }
        return response.body();
    }

    private HttpResult.Response received(HttpResult reply) {
        return switch (reply) {
            case HttpResult.Response response -> {
                clockAhead = response.clockAhead();
                yield response;
            }
            case HttpResult.NoResponse(var _, var detail) ->
                throw new BerthUnavailable("Berth at %s does not answer: %s".formatted(api, detail));
        };
    }

    @Override
    public void close() {
        http.close();
    }
}
