package berth.slurm;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What Berth is told of Slurm, as its contract wants it. */
final class Told {

    private static final int MOST_JOBS = 10_000;
    private static final int LONGEST_REASON = 200;
    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    private Told() {}

    record Jobs(List<Job> jobs) {}

    /** A job that runs on these nodes, or waits for so many. */
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

    @JsonInclude(Include.NON_NULL)
    record Outage(
            String peIds, @Nullable String from, @Nullable String to, String reason) {}

    /**
     * The queue beside the reservations. Where jobs share a node, it is that of the one that may run longest. What waits for anything but room
     * is left out, since Berth would keep a place for it.
     *
     * @param isOurs whether a reservation is this agent's: what runs there has its PEs already
     * @param longest how long a job without a limit is taken to run, in seconds
     */
    static List<Job> jobs(
            Collection<SlurmJob> queue, NodeList nodes, Predicate<String> isOurs, long longest, long now) {
        var outside = queue.stream()
                .filter(job -> job.reservation().filter(isOurs).isEmpty())
                .toList();
        var last = new HashMap<String, SlurmJob>();
        var byEnd = Comparator.comparingLong((SlurmJob job) -> end(job, longest));
        outside.stream()
                .filter(SlurmJob::isRunning)
                .forEach(job -> job.nodes().stream()
                        .filter(nodes::has)
                        .forEach(node ->
                                last.merge(node, job, (one, other) -> byEnd.compare(one, other) >= 0 ? one : other)));
        var has = new LinkedHashMap<String, TreeSet<String>>();
        last.forEach((node, job) ->
                has.computeIfAbsent(job.id(), _ -> new TreeSet<>()).add(node));
        var told = new ArrayList<Job>();
        for (var job : outside) {
            if (told.size() == MOST_JOBS) {
                break;
            }
            if (job.isRunning() && has.containsKey(job.id())) {
                long start = Math.min(now, job.startedAt().orElse(now));
                told.add(new Job(
                        job.id(),
                        owner(job),
                        null,
                        "PT%dS".formatted(Math.max(1, end(job, longest) - start)),
                        Instant.ofEpochSecond(Math.min(start, job.submittedAt()))
                                .toString(),
                        Instant.ofEpochSecond(start).toString(),
                        nodes.pes(has.get(job.id())).toString()));
            } else if (!job.isRunning()
                    && job.isReady()
                    && job.reservation().isEmpty()
                    && job.count() <= nodes.size()) {
                told.add(new Job(
                        job.id(),
                        owner(job),
                        job.count(),
                        "PT%dS".formatted(Math.max(1, job.limit().orElse(longest))),
                        Instant.ofEpochSecond(Math.min(now, job.submittedAt())).toString(),
                        null,
                        null));
            }
        }
        return told;
    }

    private static long end(SlurmJob job, long longest) {
        return job.startedAt().orElse(0) + job.limit().orElse(longest);
    }

    /** Without, it is the agent's: a name that no account could have is nobody's. */
    private static @Nullable String owner(SlurmJob job) {
        return OWNER.matcher(job.user()).matches() ? job.user() : null;
    }

    /** A time in which a node is out of service. */
    private record Out(OptionalLong from, OptionalLong to, String reason) {}

    /**
     * Nodes that are out, and those that a foreign reservation has for its time: never two outages of a node at a time.
     *
     * @param out the nodes that are out now, with why
     * @param foreign reservations that are not this agent's
     */
    static List<Outage> outages(
            Map<String, String> out, Collection<SlurmReservation> foreign, NodeList nodes, long now) {
        var perNode = new TreeMap<String, List<Out>>();
        out.forEach((node, reason) -> perNode.computeIfAbsent(node, _ -> new ArrayList<>())
                .add(new Out(OptionalLong.empty(), OptionalLong.empty(), reason)));
        foreign.stream()
                .filter(each -> each.end() > now)
                .sorted(Comparator.comparingLong(SlurmReservation::start))
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
        var told = new ArrayList<Outage>();
        alike.forEach((time, names) -> told.add(new Outage(
                nodes.pes(names).toString(),
                instant(time.from()),
                instant(time.to()),
                time.reason()
                        .substring(0, Math.min(LONGEST_REASON, time.reason().length())))));
        return told;
    }

    /** After those that begin before it; what overlaps is one. */
    private static void addTo(List<Out> times, SlurmReservation next, String reason) {
        var to = OptionalLong.of(next.end());
        if (times.isEmpty() || times.getLast().to().orElseThrow() <= next.start()) {
            times.add(new Out(OptionalLong.of(next.start()), to, reason));
        } else if (times.getLast().to().orElseThrow() < next.end()) {
            var before = times.removeLast();
            times.add(new Out(before.from(), to, before.reason()));
        }
    }

    private static @Nullable String instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()).toString() : null;
    }
}
