package berth.lab.experiment.advisor;

import static berth.lab.experiment.advisor.RecordedRequest.field;
import static berth.lab.experiment.advisor.RecordedRequest.seconds;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.cluster.Limits;
import berth.cluster.MoveRules;
import berth.cluster.Nodes;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.cluster.Reshaping;
import berth.lab.experiment.advisor.RecordedRequest.Course;
import berth.lab.simulation.Job;
import berth.sla.MoveBounds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of a service, and the requests that the service recorded for it.
 *
 * @param cluster the cluster with the rules in force, as far as the simulation knows them, and the standard tariff. Its rating is 1: run
 *     times are those on the cluster
 * @param bindings the bindings that the cluster can have
 * @param requests the requests in the order of submission
 * @param contents what was read and what was left out: rows of a text and a number
 */
record ClusterRecords(Cluster cluster, Set<Binding> bindings, List<Job> requests, List<List<String>> contents) {

    /**
     * Reads what a service returned.
     *
     * @param found the cluster
     * @param listed its reservations, newest first
     * @throws IllegalArgumentException if a value cannot be read
     * @throws java.time.DateTimeException if a time or duration cannot be read
     */
    static ClusterRecords of(JsonNode found, List<JsonNode> listed) {
        Cluster cluster = cluster(found);
        BigDecimal rating = field(found, "rating").map(JsonNode::decimalValue).orElse(BigDecimal.ONE);
        List<RecordedRequest> all = new ArrayList<>();
        for (int i = listed.size() - 1; i >= 0; i--) {
            RecordedRequest.of(listed.size() - i, listed.get(i), rating).ifPresent(all::add);
        }
        var fitting = all.stream()
                .filter(one -> one.job().request().pes() <= cluster.pes())
                .toList();
        List<List<String>> contents = new ArrayList<>();
        contents.add(row("reservations and requests read", listed.size()));
        contents.add(row("left out: without PEs or duration", listed.size() - all.size()));
        contents.add(row("left out: more than %d PEs".formatted(cluster.pes()), all.size() - fitting.size()));
        Stream.of(Course.values())
                .map(course -> row(
                        course.words(),
                        fitting.stream().filter(one -> one.course() == course).count()))
                .forEach(contents::add);
        boolean isEnforced = !field(found.path("policy"), "enforcement")
                .map(JsonNode::asString)
                .orElse("NONE")
                .equals("NONE");
        return new ClusterRecords(
                cluster,
                isEnforced ? EnumSet.of(Binding.EARLY) : EnumSet.allOf(Binding.class),
                fitting.stream()
                        .map(RecordedRequest::job)
                        .sorted(Comparator.comparingLong(job -> job.request().submit()))
                        .toList(),
                contents);
    }

    private static List<String> row(String what, long count) {
        return List.of(what, String.valueOf(count));
    }

    private static Cluster cluster(JsonNode found) {
        JsonNode policy = found.path("policy");
        var moves = new MoveRules(
                new MoveBounds(number(policy, "maxMovesPerReservation"), time(policy, "maxShift")),
                field(policy, "moveRebate").map(JsonNode::decimalValue).orElse(BigDecimal.ZERO));
        var replanning = new Replanning(
                word(ReplanOrder.class, policy, "replanOrder"),
                word(Juggling.class, policy, "juggling"),
                Reshaping.ALWAYS,
                policy.path("pullForward").asBoolean(false),
                number(policy, "maxMoves"),
                moves);
        var limits = Limits.NONE.with(
                "reservableShare",
                field(policy.path("limits"), "reservableShare")
                        .map(JsonNode::decimalValue)
                        .orElse(BigDecimal.ONE));
        return Cluster.of(found.path("id").asString(""), found.path("pes").asInt(0))
                .dividedInto(Nodes.of(found.path("granule").asInt(1), Optional.empty()))
                .bound(word(Binding.class, found, "binding"))
                .under(Policy.STANDARD
                        .withPlacement(word(PlacementPolicy.class, policy, "placement"))
                        .withReplanning(replanning)
                        .withLimits(limits)
                        .withHorizon(
                                Policy.MAX_HORIZON, seconds(policy, "notice").orElse(0L)));
    }

    private static <E extends Enum<E>> E word(Class<E> type, JsonNode object, String name) {
        return Enum.valueOf(type, object.path(name).asString(""));
    }

    private static OptionalInt number(JsonNode object, String name) {
        return field(object, name).map(value -> OptionalInt.of(value.asInt())).orElse(OptionalInt.empty());
    }

    private static OptionalLong time(JsonNode object, String name) {
        return seconds(object, name).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Returns the requests of each whole window from the first submission on that has any, with times from its beginning. */
    List<List<Job>> windows(long length) {
        long first = requests.getFirst().request().submit();
        long whole = span() / length;
        return requests.stream()
                .collect(Collectors.groupingBy(
                        job -> (job.request().submit() - first) / length, TreeMap::new, Collectors.toList()))
                .headMap(whole)
                .entrySet()
                .stream()
                .map(window -> window.getValue().stream()
                        .map(job -> job.shiftedBy(-first - window.getKey() * length))
                        .toList())
                .toList();
    }

    /** Returns the time from the first submission to the last, in seconds. */
    long span() {
        return requests.getLast().request().submit()
                - requests.getFirst().request().submit();
    }
}
