package berth.slurm;

import berth.availability.PeSet;
import berth.terminal.Reply;
import berth.terminal.ServiceClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The calls that an agent makes, by its account, which is that of one cluster. */
final class BerthClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MALFORMED = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final String api;
    private final String cluster;
    private final ServiceClient http;

    /** @param api the address of the service, {@code /api/v1} included */
    BerthClient(String api, String token, String cluster) {
        this.api = api;
        this.cluster = cluster;
        this.http = new ServiceClient(api, token);
    }

    /**
     * What a cluster has.
     *
     * @param granule how many of its PEs a node is
     * @param peNames what its nodes are called; empty: Berth does not know
     */
    record Card(int pes, int granule, Optional<String> peNames) {

        /**
         * Its nodes, as far as they are named.
         *
         * @param named what they are called; empty: as Berth has it
         * @throws IllegalArgumentException if that is not known, or contradicts what Berth has
         */
        NodeList nodes(Optional<String> named) {
            var list = named.or(() -> peNames)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The cluster has no peNames: give --nodes, its nodes in the order of its PEs."));
            var its = NodeList.of(granule, list).first(pes);
            if (peNames.isPresent()
                    && !NodeList.of(granule, peNames.get())
                            .first(its.pes(its.size()))
                            .names()
                            .equals(its.names())) {
                throw new IllegalArgumentException(
                        "They are not those of the cluster's peNames, %s: leave out --nodes.".formatted(peNames.get()));
            }
            return its;
        }
    }

    /** The cluster as it is. */
    Card card() {
        var told = read("/clusters/" + cluster);
        int pes = told.path("pes").asInt();
        int granule = told.path("granule").asInt(1);
        if (pes < 1 || granule < 1) {
            throw new BerthUnavailable("What answers at %s is no cluster.".formatted(api));
        }
        return new Card(
                pes,
                granule,
                Optional.of(told.path("peNames")).filter(JsonNode::isString).map(JsonNode::asString));
    }

    /**
     * What is promised from now on.
     *
     * @param prefix of the names of what Slurm is to have
     * @param ahead how far it must be known, if not all of it can be told at once
     */
    Plan plan(NodeList nodes, UserMap users, String prefix, Instant now, Duration ahead) {
        var path = "/clusters/%s/schedule?kind=RESERVATION&from=%s".formatted(cluster, now);
        var all = http.get(path, PATIENCE);
        var told = heard(all).status() == MALFORMED ? read(path + "&to=" + now.plus(ahead)) : answer(path, all);
        if (!told.path("placements").isArray()) {
            throw new BerthUnavailable("What answers at %s is no plan.".formatted(api));
        }
        var wanted = new ArrayList<SlurmReservation>();
        var running = new HashSet<UUID>();
        var impossible = new HashMap<String, String>();
        for (var placement : told.path("placements")) {
            var state = placement.path("state").asString();
            if (!state.equals("CONFIRMED") && !state.equals("RUNNING")) {
                continue;
            }
            var id = UUID.fromString(placement.path("id").asString());
            if (state.equals("RUNNING")) {
                running.add(id);
            }
            var name = "%s%s.%d".formatted(prefix, id, placement.path("part").asInt());
            var peIds = placement.path("peIds");
            if (!peIds.isString()) {
                impossible.put(name, "Which PEs it has is not settled: the cluster must bind EARLY.");
                continue;
            }
            var pes = PeSet.parse(peIds.asString());
            if (pes.length() > nodes.pes(nodes.size())) {
                impossible.put(
                        name, "It has PEs up to %d, and there are %d nodes.".formatted(pes.length() - 1, nodes.size()));
                continue;
            }
            wanted.add(new SlurmReservation(
                    name,
                    Instant.parse(placement.path("start").asString()).getEpochSecond(),
                    Instant.parse(placement.path("end").asString()).getEpochSecond(),
                    nodes.names(pes),
                    users(placement, users)));
        }
        return new Plan(told.path("sequence").asLong(), wanted, running, impossible);
    }

    /** Those that the reservation names; else its owner's. */
    private static SortedSet<String> users(JsonNode placement, UserMap map) {
        var named = placement.path("users");
        return named.isEmpty()
                ? map.of(placement.path("owner").asString())
                : named.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What has happened on the cluster.
     *
     * @param isAny whether anything has
     * @param cursor the position behind it
     */
    record News(boolean isAny, Optional<String> cursor) {}

    /**
     * Waits until something happens on the cluster, but no longer than that.
     *
     * @param after the position behind which it is to happen; empty: what happens from {@code from} on
     */
    News news(Optional<String> after, Instant from, Duration wait) {
        var path = "/events?limit=500&" + after.map(cursor -> "after=" + cursor).orElse("from=" + from);
        var page = answer(path, http.getAndWait(path, wait, PATIENCE));
        return new News(
                !page.path("items").isEmpty(),
                Optional.of(page.path("next")).filter(JsonNode::isString).map(JsonNode::asString));
    }

    /** The jobs that Berth does not take, each in a sentence. */
    List<String> tellJobs(List<SlurmReport.Job> jobs) {
        var answer = put("/clusters/%s/jobs".formatted(cluster), new SlurmReport.Jobs(jobs));
        return leftOut(answer, "job", "name");
    }

    /** The outages that Berth does not take, each in a sentence. */
    List<String> tellOutages(String source, List<SlurmReport.Outage> outages) {
        var answer = put("/clusters/%s/outages/%s".formatted(cluster, source), new SlurmReport.Outages(outages));
        return leftOut(answer, "outage of PEs", "peIds");
    }

    private static List<String> leftOut(JsonNode answer, String what, String name) {
        return answer.path("leftOut")
                .valueStream()
                .map(out -> "%s %s: %s %s"
                        .formatted(
                                what,
                                out.path(name).asString(),
                                // without its place in the list, which changes
                                out.path("field").asString().replaceFirst("^.*\\.", ""),
                                out.path("message").asString()))
                .toList();
    }

    /**
     * Says who puts reservations in place, and how far these parts are.
     *
     * @throws BerthAway also if another agent speaks for the cluster
     */
    void tell(SlurmReport.Enforcement told) {
        var unused = put("/clusters/%s/enforcement".formatted(cluster), told);
    }

    /** Shows up for whoever has begun to run jobs; answers whether that is done, or need not be. */
    boolean claim(UUID reservation) {
        int status = heard(http.post("/reservations/%s/claim".formatted(reservation), PATIENCE))
                .status();
        return status == 200 || status == CONFLICT || status == NOT_FOUND;
    }

    private JsonNode read(String path) {
        return answer(path, http.get(path, PATIENCE));
    }

    private JsonNode put(String path, Object body) {
        return answer(path, http.put(path, body, PATIENCE));
    }

    /** What is no JSON is not Berth's, whatever its status. */
    private JsonNode answer(String path, Reply reply) {
        var heard = heard(reply);
        if (heard.status() != 200) {
            throw new BerthUnavailable("%s was answered with %s".formatted(path, heard.said()));
        }
        if (heard.body().isMissingNode()) {
            throw new BerthUnavailable("What answers at %s is not Berth.".formatted(api));
        }
        return heard.body();
    }

    private Reply.Heard heard(Reply reply) {
        return switch (reply) {
            case Reply.Heard heard -> heard;
            case Reply.Unheard(var _, var detail) ->
                throw new BerthUnavailable("Berth at %s does not answer: %s".formatted(api, detail));
        };
    }

    @Override
    public void close() {
        http.close();
    }
}
