package berth.slurm;

import berth.availability.PeSet;
import berth.cluster.HostList;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the agent's reports about Slurm, in the form of Berth's HTTP contract. */
final class AgentReport {

    private static final int MAX_JOBS = 10_000;
    private static final int MAX_OUTAGES = 1_000;
    private static final int MAX_REASON_LENGTH = 200;
    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    /** Slurm's errors that last until an administrator adds the missing user, account or node. */
    private static final Pattern UNKNOWN = Pattern.compile("Invalid (user|account|node)");

    private AgentReport() {}

    record Jobs(List<Job> jobs) {}

    /** A job that runs on the PEs in {@code peIds}, or that waits for {@code pes} PEs. */
    @JsonInclude(Include.NON_NULL)
    record Job(
            String name,
            @Nullable String owner,
            @Nullable Integer pes,
            String estimate,
            String submittedAt,
            @Nullable String startedAt,
            @Nullable String peIds) {}

    record Outages(List<Outage> outages) {}

    /**
     * A call of the agent.
     *
     * @param machine the name of the Slurm; null if it is not known
     * @param nodes the cluster's nodes; null if they are not known
     * @param ahead how long before its start a reservation is in Slurm at the latest; null if this is not known
     * @param lease how long the agent speaks for the cluster; null for the usual time
     * @param fault why the agent does not follow the plan; null if it does
     */
    @JsonInclude(Include.NON_NULL)
    record Enforcement(
            String agent,
            String version,
            long sequence,
            @Nullable String machine,
            @Nullable String nodes,
            @Nullable String ahead,
            @Nullable String lease,
            @Nullable String fault,
            List<Part> reservations) {}

    /**
     * The state of a reservation's part.
     *
     * @param there its time and nodes in Slurm; null if Slurm does not have it
     * @param taken the PEs that jobs of others have
     */
    @JsonInclude(Include.NON_NULL)
    record Part(
            String id,
            int part,
            String state,
            String handle,
            @JsonUnwrapped @Nullable There there,
            @Nullable String cause,
            @Nullable String detail,
            @Nullable String taken) {

        private Part taking(PeSet pes) {
            return new Part(id, part, state, handle, there, cause, detail, pes.isEmpty() ? null : pes.toString());
        }
    }

    /** The time and nodes of a reservation's part in Slurm. */
    record There(String start, String end, String peIds, String nodes) {

        private static There of(MachineReservation present, NodeList nodes) {
            return new There(
                    Instant.ofEpochSecond(present.start()).toString(),
                    Instant.ofEpochSecond(present.end()).toString(),
                    nodes.pes(present.nodes()).toString(),
                    note(HostList.fold(present.nodes())));
        }
    }

    /**
     * Returns the states of the promised parts. A part that Slurm does not have yet, and has not refused, is left out.
     *
     * @param prefix the prefix of the names of Slurm reservations
     * @param present this agent's reservations in Slurm, by name
     * @param refused Slurm's error messages, by the name of the reservation
     * @param intruders the jobs in the way, by the name of the reservation
     */
    static List<Part> parts(
            AgentPlan plan,
            String prefix,
            Map<String, MachineReservation> present,
            Map<String, String> refused,
            Map<String, List<Intruder>> intruders,
            NodeList nodes,
            long now) {
        var parts = new ArrayList<Part>();
        for (var wanted : plan.wanted()) {
            var name = wanted.name();
            var there = present.get(name);
            // an owner whose own jobs have the nodes has what was promised
            var others = intruders.getOrDefault(name, List.of()).stream()
                    .filter(Intruder::isOfOthers)
                    .toList();
            var takers = Intruder.takers(wanted, others, now);
            boolean isTaken = !takers.isEmpty();
            // before the start, a job may still end in time
            var taken = now < wanted.start() ? PeSet.NONE : taken(takers, nodes);
            var why = refused.getOrDefault(name, isTaken ? said(takers) : null);
            if (there != null) {
                boolean covers = there.covers(wanted, now);
                var refusal = covers ? plan.impossible().get(name) : null;
                // Berth knows nothing of margins
                var seen = covers
                        ? there.at(Math.max(there.start(), wanted.start()), Math.min(there.end(), wanted.end()))
                        : there;
                var cause = isTaken ? "NODES_BUSY" : refusal == null ? null : refusal.cause();
                parts.add(part(
                                prefix,
                                name,
                                covers && !isTaken && refusal == null ? "MATERIALISED" : "DRIFTED",
                                seen,
                                nodes,
                                cause,
                                why)
                        .taking(taken));
            } else if (why != null) {
                boolean isForGood = UNKNOWN.matcher(why).find();
                parts.add(part(
                                prefix,
                                name,
                                isForGood ? "FAILED" : "PENDING",
                                null,
                                nodes,
                                isTaken ? "NODES_BUSY" : null,
                                why)
                        .taking(taken));
            }
        }
        var reported = parts.stream().map(Part::handle).collect(Collectors.toSet());
        plan.impossible().forEach((name, refusal) -> {
            if (!reported.contains(name)) {
                parts.add(part(prefix, name, "FAILED", null, nodes, refusal.cause(), refusal.why()));
            }
        });
        return parts;
    }

    /** Returns the states of the promised parts, including those that Slurm had or refused before and that only wait now. */
    static List<Part> withWaiting(List<Part> parts, Collection<Part> before, AgentPlan plan) {
        var silent = plan.names();
        parts.forEach(part -> silent.remove(part.handle()));
        var waiting = before.stream()
                .filter(part -> silent.contains(part.handle()))
                .map(part -> new Part(part.id(), part.part(), "PENDING", part.handle(), null, null, null, null));
        return Stream.concat(parts.stream(), waiting).toList();
    }

    /** Returns the PEs of the nodes on which jobs of others run, even if the owner's run there as well. */
    private static PeSet taken(List<Intruder> takers, NodeList nodes) {
        return nodes.pes(
                takers.stream().flatMap(taker -> taker.nodes().stream()).collect(Collectors.toSet()));
    }

    private static String said(List<Intruder> intruders) {
        int more = intruders.size() - 1;
        return intruders.getFirst().said() + (more == 0 ? "" : " %d more jobs run there.".formatted(more));
    }

    private static Part part(
            String prefix,
            String name,
            String state,
            @Nullable MachineReservation there,
            NodeList nodes,
            @Nullable String cause,
            @Nullable String why) {
        int point = name.lastIndexOf('.');
        return new Part(
                name.substring(prefix.length(), point),
                Integer.parseInt(name.substring(point + 1)),
                state,
                name,
                there == null ? null : There.of(there, nodes),
                cause,
                why == null ? null : note(why),
                null);
    }

    @JsonInclude(Include.NON_NULL)
    record Outage(
            String peIds, @Nullable String from, @Nullable String to, String reason) {}

    /**
     * Returns the jobs that do not run in a reservation: first all running jobs, and then the jobs that wait in the cluster's partitions. If jobs
     * share a node, the one that may run longest gets it. Jobs that wait for anything other than room are left out, because Berth would
     * keep a place for them.
     *
     * @param isOurs whether a reservation is this agent's; jobs in it already have its PEs
     * @param longest the assumed run time of a job without a limit, in seconds
     */
    static List<Job> jobs(
            Collection<SlurmJob> queue,
            NodeList nodes,
            Set<String> partitions,
            Predicate<String> isOurs,
            long longest,
            long now) {
        var last = new HashMap<String, SlurmJob>();
        var byEnd = Comparator.comparingLong((SlurmJob job) -> end(job, longest, now));
        var outside = queue.stream().filter(job -> !job.isIn(isOurs)).toList();
        outside.stream()
                .filter(SlurmJob::isRunning)
                .forEach(job -> job.nodes().stream()
                        .filter(nodes::has)
                        .forEach(node ->
                                last.merge(node, job, (one, other) -> byEnd.compare(one, other) >= 0 ? one : other)));
        var has = new HashMap<String, Set<String>>();
        last.forEach((node, job) ->
                has.computeIfAbsent(job.id(), _ -> new HashSet<>()).add(node));
        var running = outside.stream()
                .filter(job -> job.isRunning() && has.containsKey(job.id()))
                .map(job -> running(job, nodes.pes(Objects.requireNonNull(has.get(job.id()))), longest, now));
        var waiting = outside.stream()
                .filter(job -> !job.isRunning()
                        && job.isReady()
                        && job.reservations().isEmpty()
                        && job.count() <= nodes.size()
                        && !Collections.disjoint(job.partitions(), partitions))
                .map(job -> waiting(job, nodes, longest, now));
        return Stream.concat(running, waiting).limit(MAX_JOBS).toList();
    }

    private static Job running(SlurmJob job, PeSet pes, long longest, long now) {
        long start = Math.min(now, job.startedAt().orElse(now));
        return new Job(
                job.id(),
                owner(job),
                null,
                "PT%dS".formatted(Math.max(1, end(job, longest, now) - start)),
                Instant.ofEpochSecond(Math.min(start, job.submittedAt())).toString(),
                Instant.ofEpochSecond(start).toString(),
                pes.toString());
    }

    private static Job waiting(SlurmJob job, NodeList nodes, long longest, long now) {
        return new Job(
                job.id(),
                owner(job),
                nodes.pes(job.count()),
                "PT%dS".formatted(Math.max(1, job.limit().orElse(longest))),
                Instant.ofEpochSecond(Math.min(now, job.submittedAt())).toString(),
                null,
                null);
    }

    private static long end(SlurmJob job, long longest, long now) {
        return job.limit().isPresent() ? job.end(now) : job.startedAt().orElse(now) + longest;
    }

    /** Returns the job's owner; null if no account could have this name, so that the job belongs to the agent. */
    private static @Nullable String owner(SlurmJob job) {
        return OWNER.matcher(job.user()).matches() ? job.user() : null;
    }

    /**
     * A time in which a node is out of service.
     *
     * @param from when it begins, in seconds since the epoch; empty if it has begun
     * @param to when it ends, in seconds since the epoch; empty if it lasts until it is no longer reported
     * @param reason the reason, as Slurm states it
     */
    record Out(OptionalLong from, OptionalLong to, String reason) {}

    /**
     * Returns the outages: nodes that are out of service, and nodes that reservations of others have. A node never has two outages at one
     * time.
     *
     * @param out the nodes that are out of service or will be, by name
     * @param foreign the reservations that are not this agent's
     */
    static List<Outage> outages(
            Map<String, Out> out, Collection<MachineReservation> foreign, NodeList nodes, long now) {
        var perNode = new TreeMap<String, List<Out>>();
        out.forEach((node, time) ->
                perNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(time));
        foreign.stream()
                .filter(each -> each.end() > now)
                .sorted(Comparator.comparingLong(MachineReservation::start))
                .forEach(each -> each.nodes().stream()
                        .filter(nodes::has)
                        .filter(node -> !out.containsKey(node))
                        .forEach(node -> addTo(
                                perNode.computeIfAbsent(node, _ -> new ArrayList<>()),
                                each,
                                "Slurm reservation " + each.name())));
        var alike = new LinkedHashMap<Out, List<String>>();
        perNode.forEach((node, times) -> times.forEach(
                time -> alike.computeIfAbsent(time, _ -> new ArrayList<>()).add(node)));
        return alike.entrySet().stream()
                .limit(MAX_OUTAGES)
                .map(each -> new Outage(
                        nodes.pes(each.getValue()).toString(),
                        instant(each.getKey().from()),
                        instant(each.getKey().to()),
                        note(each.getKey().reason())))
                .toList();
    }

    /** Returns a text that Berth accepts as a note. */
    static String note(String reason) {
        var plain = reason.isBlank() ? "for no reason" : reason.replaceAll("[^ -~]", "?");
        return plain.length() <= MAX_REASON_LENGTH ? plain : plain.substring(0, MAX_REASON_LENGTH - 3) + "...";
    }

    /** Adds a reservation after those that begin earlier, and merges it with the last one if they overlap. */
    private static void addTo(List<Out> times, MachineReservation next, String reason) {
        var to = next.end() == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next.end());
        if (times.isEmpty() || times.getLast().to().orElse(Long.MAX_VALUE) <= next.start()) {
            times.add(new Out(OptionalLong.of(next.start()), to, reason));
        } else if (times.getLast().to().orElse(Long.MAX_VALUE) < next.end()) {
            var before = times.removeLast();
            times.add(new Out(before.from(), to, before.reason()));
        }
    }

    private static @Nullable String instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()).toString() : null;
    }
}
