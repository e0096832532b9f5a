package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.Reconciler.Reconciled;
import berth.slurm.Slurm.Configuration;
import berth.slurm.Slurm.Partitions;
import berth.terminal.UnusableOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes Slurm follow Berth's plan, pass by pass. Each pass reads both sides anew and does not rely on the results of earlier changes, so it
 * corrects every difference in the same way: a new plan, the result of a crash, or a change by hand. If either side cannot be read, the
 * pass changes nothing. What it remembers from pass to pass only saves calls and log lines.
 */
final class Agent {

    /** How the agent treats jobs outside of reservations that are in the way of a reservation. */
    enum Protect {
        /** The jobs run to their end, and the reservation has their nodes afterwards. */
        JOBS,
        /** The jobs may run until the reservation begins, and the agent ends them then. */
        RESERVATIONS
    }

    /**
     * The settings of an agent.
     *
     * @param cluster the id of the cluster in Berth
     * @param nodes the names of its nodes in the order of its PEs; empty if the agent uses the names that Berth has
     * @param ahead how long before its start the agent creates a reservation in Slurm; empty for the longest time limit of a job plus ten
     *     minutes, but at least a day
     * @param margin how much earlier than promised a reservation may begin in Slurm, and how much later it may end, where nobody else has
     *     its nodes
     * @param maintains whether the agent keeps the jobs of the queue off nodes whose outage was recorded in Berth
     * @param adopts whether the agent takes over reservations that another Berth made for a cluster of this name
     */
    record Settings(
            String cluster,
            Optional<String> nodes,
            UserMap users,
            Optional<Duration> ahead,
            Protect protect,
            Duration margin,
            boolean maintains,
            boolean adopts) {}

    /**
     * The identity of an agent, which it sends to Berth.
     *
     * @param name a name that no other agent of the cluster has
     * @param version the version of its program
     */
    record Identity(String name, String version) {}

    private static final int MAX_ROUNDS = 20;

    static final Duration YEAR = Duration.ofDays(365);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /** So long before its start the users of a reservation can submit jobs for it. */
    private static final Duration DAY = Duration.ofDays(1);

    private static final String STRANGERS = """
            %d reservations in Slurm have names of this cluster, but this Berth has no record of them: %s. Another Berth made them, or this \
            Berth was restored from an earlier backup. The agent does not change them and reports their nodes as out of service. If no other \
            Berth uses them, start the agent with --adopt: it then deletes them and ends their jobs.""";

    private final Settings settings;
    private final Slurm slurm;
    private final AgentClient berth;
    private final InstantSource clock;
    private final AgentMeters meters;
    private final String prefix;
    private final Ownership ownership;
    private final Owners owners;
    private final KnownUsers knownUsers;
    private final Reports reports;
    private final Reconciler reconciler;
    private final NewLines unreadable;
    private final NewLines strangers;
    private final NewLines intruding;
    private Optional<Configuration> configuration = Optional.empty();
    private Instant configuredAt = Instant.EPOCH;
    private Set<MachineReservation> wereInPlace = Set.of();

    Agent(
            Identity identity,
            Settings settings,
            Slurm slurm,
            AgentClient berth,
            InstantSource clock,
            Consumer<String> log,
            AgentMeters meters) {
        this.settings = settings;
        this.slurm = slurm;
        this.knownUsers = new KnownUsers(slurm);
        this.berth = berth;
        this.clock = clock;
        this.meters = meters;
        this.prefix = "berth.%s.".formatted(settings.cluster());
        this.ownership =
                new Ownership(prefix, settings.adopts(), berth::hasRecordedReservation, berth::hasRecordedOutage);
        this.owners = new Owners(ownership::isOurs);
        this.reports = new Reports(identity, berth, clock, log);
        this.reconciler = new Reconciler(slurm, settings, ownership::isOurs, log, meters);
        this.unreadable = new NewLines(log);
        this.strangers = new NewLines(log);
        this.intruding = new NewLines(log);
    }

    /**
     * The state at the beginning of a pass.
     *
     * @param nodes the nodes of the PEs that the cluster has
     * @param all all reservations in Slurm, including those of others
     * @param ahead how long before its start a reservation is in Slurm at the latest
     */
    record Observation(
            Instant now,
            NodeList nodes,
            Partitions partitions,
            List<MachineReservation> all,
            Configuration configuration,
            Duration ahead) {
        long second() {
            return now.getEpochSecond();
        }
    }

    private NodeList nodes() {
        try {
            return berth.card().nodes(settings.nodes());
        } catch (IllegalArgumentException e) {
            throw new BerthUnavailable(String.valueOf(e.getMessage()));
        }
    }

    private Observation observe() {
        slurm.requireAnswer();
        var nodes = nodes();
        var now = clock.instant();
        var partitions = slurm.partitions(nodes);
        return new Observation(now, nodes, partitions, slurm.reservations(), configuration(now), ahead(partitions));
    }

    /**
     * Compares both sides and corrects the differences.
     *
     * @throws BerthUnavailable if the clocks differ too much, if the plan cannot be read, or if another agent acts for the cluster
     * @throws SlurmUnavailable if Slurm cannot be read
     */
    Reconciled pass() {
        long begin = System.nanoTime();
        var observed = observe();
        reports.requireSameTime();
        reports.renewLease(observed);
        var plan = plan(observed);
        tellApart(plan, observed);
        var jobs = jobs(observed);
        reports.reportOutside(observed, nodes(observed, jobs), jobs, ownership::isOurs);
        unreadable.log(slurm.takeUnreadable());
        meters.drifted(drifted(plan, observed));
        owners.learn(plan.owners(), jobs);
        var intruders = Intruder.find(plan.wanted(), jobs, owners, observed.second());
        intruding.log(said(intruders));
        var after = reconciler.reconcile(plan, widened(plan, observed, jobs), observed, MAX_ROUNDS);
        wereInPlace = plan.wanted().stream()
                .filter(each -> after.inPlace().contains(each.name()))
                .collect(Collectors.toSet());
        var present = Reconciliation.byName(Reconciliation.promised(after.all(), ownership::isOurs));
        reports.reportParts(
                AgentReport.parts(
                        plan, prefix, present, after.refused(), intruders, observed.nodes(), observed.second()),
                plan,
                observed);
        reports.claim(plan.running(), prefix, slurm::begun);
        reconciler.clearTheWay(plan, after.inPlace(), intruders, observed.second());
        reconciler.cutLimits(after, jobs, observed.second());
        meters.passed(
                Duration.ofNanos(System.nanoTime() - begin),
                after.inPlace().size(),
                after.refused().size(),
                observed.now());
        return after;
    }

    /** Makes one round of changes to Slurm without reporting anything to Berth. */
    void round() {
        var observed = observe();
        var plan = plan(observed);
        tellApart(plan, observed);
        var unused = reconciler.reconcile(plan, widened(plan, observed, jobs(observed)), observed, 1);
    }

    /** Returns the promised reservations with their margins. */
    private List<MachineReservation> widened(AgentPlan plan, Observation observed, List<SlurmJob> jobs) {
        var others = Stream.concat(
                        Reconciliation.foreign(observed.all(), ownership::isOurs).stream(),
                        plan.maintenances().stream())
                .toList();
        return Margins.widened(plan.wanted(), others, jobs, settings.margin().toSeconds(), observed.second());
    }

    /** Returns the jobs without those that give way to jobs in reservations. */
    private List<SlurmJob> jobs(Observation observed) {
        var preemption = observed.configuration().preemption();
        return slurm.jobs().stream()
                .filter(job -> !preemption.makesWay(job, observed.partitions()))
                .toList();
    }

    private Configuration configuration(Instant now) {
        if (configuration.isEmpty() || !now.isBefore(configuredAt.plus(Reports.REPEAT_AFTER))) {
            configuration = Optional.of(slurm.configuration());
            configuredAt = now;
        }
        return configuration.get();
    }

    private AgentPlan plan(Observation observed) {
        var plan = berth.plan(observed.nodes(), settings.users(), prefix, observed.now(), observed.ahead());
        if (!settings.maintains()) {
            plan = plan.withoutMaintenances();
        }
        var present = Reconciliation.byName(observed.all());
        // Slurm knows the users of the reservations that it has
        var users = plan.wanted().stream()
                .filter(each -> !present.containsKey(each.name())
                        || !present.get(each.name()).users().equals(each.users()))
                .flatMap(each -> each.users().stream())
                .collect(Collectors.toSet());
        return plan.without(knownUsers.unknown(users, observed.now()), present);
    }

    private Duration ahead(Partitions partitions) {
        return settings.ahead().orElseGet(() -> {
            var longest = partitions.longest();
            if (longest.isEmpty()) {
                return YEAR;
            }
            var ofJobs = Duration.ofSeconds(longest.getAsLong()).plus(TEN_MINUTES);
            return ofJobs.compareTo(DAY) < 0 ? DAY : ofJobs;
        });
    }

    /** Finds out which reservations are this Berth's. Logs those of another Berth once. */
    private void tellApart(AgentPlan plan, Observation observed) {
        var others = ownership.look(
                observed.all().stream().map(MachineReservation::name).toList(), plan.names());
        strangers.log(
                others.isEmpty()
                        ? Set.of()
                        : Set.of(STRANGERS.formatted(
                                others.size(), others.stream().limit(5).collect(Collectors.joining(", ")))));
    }

    /** Returns all nodes of Slurm. A node on which Slurm starts no jobs is like a drained one. */
    private List<SlurmNode> nodes(Observation observed, List<SlurmJob> jobs) {
        var closed = observed.partitions().closed();
        var busy = closed.isEmpty()
                ? Set.<String>of()
                : jobs.stream().flatMap(job -> job.nodes().stream()).collect(Collectors.toSet());
        return slurm.nodes().stream()
                .map(node -> {
                    var why = closed.get(node.name());
                    return why == null || node.isOut() || node.isDraining()
                            ? node
                            : new SlurmNode(node.name(), busy.contains(node.name()) ? "draining" : "drained", why);
                })
                .toList();
    }

    /** Tells Berth, if it can be reached, that the agent does not follow the plan. Another agent may follow it instead. */
    void leave(Optional<String> fault) {
        reports.leave(fault);
    }

    /**
     * Checks before the first pass that the agent can follow the plan.
     *
     * @throws NoRight if its user may not change reservations
     * @throws UnusableOption if Slurm lacks nodes of the cluster
     * @throws SlurmUnavailable if Slurm cannot be read
     */
    void requireAbility() {
        slurm.requireAnswer();
        slurm.requireRight();
        var there = slurm.nodes().stream().map(SlurmNode::name).collect(Collectors.toSet());
        var missing =
                nodes().names().stream().filter(name -> !there.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw new UnusableOption("Slurm has no nodes %s. Correct the cluster's peNames, or --nodes."
                    .formatted(HostList.fold(missing)));
        }
    }

    /** Counts the reservations that were in place after the last pass and no longer are, although Berth's plan for them is unchanged. */
    private int drifted(AgentPlan plan, Observation observed) {
        var present = Reconciliation.byName(Reconciliation.promised(observed.all(), ownership::isOurs));
        return (int) plan.wanted().stream()
                .filter(wereInPlace::contains)
                .filter(each -> !present.containsKey(each.name())
                        || !present.get(each.name()).covers(each, observed.second()))
                .count();
    }

    /** Returns a sentence for the operator about each job that is in the way of a reservation. */
    private Set<String> said(Map<String, List<Intruder>> intruders) {
        var advice = settings.protect() == Protect.JOBS
                ? " With --protect RESERVATIONS, the agent ends such a job when the reservation begins."
                : "";
        var lines = new LinkedHashSet<String>();
        intruders.forEach((name, all) ->
                all.forEach(one -> lines.add("%s It is in the way of %s.%s".formatted(one.said(), name, advice))));
        return lines;
    }
}
