package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.OutNodes.Found.Out;
import berth.slurm.OutNodes.Found.TooMany;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tells Berth what the machine has: the outages and jobs outside of reservations, and the state of each promised part. It sends only what
 * has changed, and repeats everything from time to time, because Berth may have been restored from a backup.
 */
final class Reports {

    /** The time after which all reports are repeated. */
    static final Duration REPEAT_AFTER = Duration.ofSeconds(30);

    /** How far the clock may differ from Berth's before the agent warns, and before it makes no more changes. */
    private static final Duration NOTABLE_DIFFERENCE = Duration.ofSeconds(2);

    static final Duration MAX_DIFFERENCE = Duration.ofSeconds(5);

    private final Agent.Identity identity;
    private final AgentClient berth;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final OutNodes out = new OutNodes();
    private final Report<List<AgentReport.Outage>> outages = new Report<>();
    private final Report<List<AgentReport.Job>> jobsOutside = new Report<>();
    private final NewLines leftOut;
    private final Set<UUID> claimed = new HashSet<>();
    private long sequence;
    private Set<AgentReport.Part> lastReported = Set.of();
    private Instant allReportedAt = Instant.EPOCH;
    private boolean isTimeOff;

    Reports(Agent.Identity identity, AgentClient berth, InstantSource clock, Consumer<String> log) {
        this.identity = identity;
        this.berth = berth;
        this.clock = clock;
        this.log = log;
        this.leftOut = new NewLines(log);
    }

    /** Sends a report, unless the same report was sent a short time ago. */
    private final class Report<T> {
        private Optional<T> last = Optional.empty();
        private Instant at = Instant.EPOCH;
        private List<String> answer = List.of();

        List<String> report(T what, Function<T, List<String>> call) {
            boolean isRecent =
                    last.filter(what::equals).isPresent() && clock.instant().isBefore(at.plus(REPEAT_AFTER));
            if (!isRecent) {
                // a report that fails counts as not sent
                last = Optional.empty();
                answer = call.apply(what);
                last = Optional.of(what);
                at = clock.instant();
            }
            return answer;
        }
    }

    /**
     * Compares this machine's clock with Berth's: the machine would begin reservations early or late, or never get short ones.
     *
     * @throws BerthUnavailable if they differ too much
     */
    void requireSameTime() {
        var ahead = berth.clockAhead();
        var fault = "This machine's clock is %s s %s that of Berth. Synchronise both, for example with chrony."
                .formatted(ahead.abs().toMillis() / 1000.0, ahead.isNegative() ? "behind" : "ahead of");
        if (ahead.abs().compareTo(MAX_DIFFERENCE) > 0) {
            leave(Optional.of(fault));
            throw new BerthUnavailable(fault);
        }
        boolean isNotable = ahead.abs().compareTo(NOTABLE_DIFFERENCE) > 0;
        if (isNotable && !isTimeOff) {
            log.accept(fault);
        }
        isTimeOff = isNotable;
    }

    /**
     * Reports outages and jobs. The agent logs what Berth rejects once, and follows the plan in any case.
     *
     * @param nodes all nodes of the machine
     * @param isOurs whether a reservation is this agent's
     */
    void reportOutside(
            Agent.Observation observed, List<SlurmNode> nodes, List<SlurmJob> jobs, Predicate<String> isOurs) {
        var rejected = new LinkedHashSet<String>();
        try {
            rejected.addAll(reportOutages(observed, nodes, isOurs));
            rejected.addAll(jobsOutside.report(
                    AgentReport.jobs(
                            jobs,
                            observed.nodes(),
                            observed.partitions().names(),
                            isOurs,
                            observed.partitions().longest().orElse(Agent.YEAR.toSeconds()),
                            observed.second()),
                    berth::reportJobs));
        } catch (BerthUnavailable e) {
            rejected.add("Berth did not accept: " + e.getMessage());
        }
        leftOut.log(rejected);
    }

    private List<String> reportOutages(Agent.Observation observed, List<SlurmNode> nodes, Predicate<String> isOurs) {
        return switch (out.find(
                nodes, observed.nodes(), Reconciliation.promised(observed.all(), isOurs), observed.now())) {
            case TooMany(int count) ->
                List.of(
                        "%d nodes are out of service, which is most of them. The agent reports them if this lasts for a minute."
                                .formatted(count));
            case Out(var lost) -> {
                var foreign = Reconciliation.foreign(observed.all(), isOurs).stream()
                        .filter(each -> each.takes(observed.nodes().names()))
                        .toList();
                yield outages.report(
                        AgentReport.outages(lost, foreign, observed.nodes(), observed.second()), berth::reportOutages);
            }
        };
    }

    /** Reports the parts that have changed, and from time to time all parts. Parts that Slurm had before and that only wait now are new, too. */
    void reportParts(List<AgentReport.Part> present, AgentPlan plan, Agent.Observation observed) {
        sequence = plan.sequence();
        var parts = AgentReport.withWaiting(present, lastReported, plan);
        var now = observed.now();
        boolean isTimeForAll = !now.isBefore(allReportedAt.plus(REPEAT_AFTER));
        var fresh = parts.stream()
                .filter(part -> isTimeForAll || !lastReported.contains(part))
                .toList();
        if (!fresh.isEmpty()) {
            report(observed, fresh);
        }
        allReportedAt = isTimeForAll ? now : allReportedAt;
        lastReported = Set.copyOf(parts);
    }

    /**
     * Takes or renews the lease, without a report.
     *
     * @throws BerthUnavailable if another agent acts for the cluster
     */
    void renewLease(Agent.Observation observed) {
        report(observed, List.of());
    }

    private void report(Agent.Observation observed, List<AgentReport.Part> parts) {
        berth.report(new AgentReport.Enforcement(
                identity.name(),
                identity.version(),
                sequence,
                observed.configuration().machine(),
                HostList.foldInOrder(observed.nodes().names()),
                observed.ahead().toString(),
                null,
                null,
                parts));
    }

    /** Tells Berth, if it can be reached, that the agent does not follow the plan. Another agent may follow it instead. */
    void leave(Optional<String> fault) {
        try {
            berth.report(new AgentReport.Enforcement(
                    identity.name(),
                    identity.version(),
                    sequence,
                    null,
                    null,
                    null,
                    "PT0S",
                    fault.map(AgentReport::note).orElse(null),
                    List.of()));
        } catch (BerthUnavailable e) {
            log.accept("Berth was not told that the agent leaves: " + e.getMessage());
        }
    }

    /**
     * Claims the running reservations in which a job has begun, even if the job ended between two passes.
     *
     * @param begun returns the reservations in which jobs have begun
     */
    void claim(Set<UUID> running, String prefix, Supplier<? extends Collection<String>> begun) {
        claimed.retainAll(running);
        var unclaimed = running.stream().filter(id -> !claimed.contains(id)).toList();
        if (unclaimed.isEmpty()) {
            return;
        }
        var names = begun.get();
        unclaimed.stream()
                .filter(id -> names.stream().anyMatch(name -> name.startsWith(prefix + id + ".")))
                .filter(berth::claim)
                .forEach(claimed::add);
    }
}
