package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.OutNodes.Found.Out;
import berth.slurm.OutNodes.Found.TooMany;
import berth.slurm.Shell.ExitResult;
import berth.slurm.Slurm.Configuration;
import berth.slurm.Slurm.Partitions;
import berth.slurm.SlurmChange.Create;
import berth.slurm.SlurmChange.Delete;
import berth.slurm.SlurmChange.Update;
import berth.terminal.UnusableOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes Slurm follow Berth's plan, pass by pass. Each pass reads both sides anew and does not rely on the results of earlier changes, so it
 * corrects every difference in the same way: a new plan, the result of a crash, or a change by hand. If either side cannot be read, the
 * pass changes nothing. The agent remembers some state from pass to pass only to save calls and log lines.
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

    /**
     * The results of a pass.
     *
     * @param inPlace the names of the reservations that Slurm has as Berth promised them
     * @param refused Slurm's error messages, by the name of the reservation
     * @param parts the state of each promised part, for Berth
     * @param all all reservations in Slurm after the pass
     */
    record Findings(
            Set<String> inPlace,
            Map<String, String> refused,
            List<AgentReport.Part> parts,
            List<SlurmReservation> all) {
        boolean isAllInPlace() {
            return refused.isEmpty();
        }
    }

    private static final int MAX_ROUNDS = 20;

    /** How far the clock may differ from Berth's before the agent warns, and before it makes no more changes. */
    private static final Duration NOTABLE_DIFFERENCE = Duration.ofSeconds(2);

    private static final Duration MAX_DIFFERENCE = Duration.ofSeconds(5);

    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /** So long before its start the users of a reservation can submit jobs for it. */
    private static final Duration DAY = Duration.ofDays(1);

    private static final String STRANGERS = """
            %d reservations in Slurm have names of this cluster, but this Berth has no record of them: %s. Another Berth made them, or this \
            Berth was restored from an earlier backup. The agent does not change them and reports their nodes as out of service. If no other \
            Berth uses them, start the agent with --adopt: it then deletes them and ends their jobs.""";

    /** The time after which the agent repeats all reports, because Berth may have been restored from a backup. */
    private static final Duration REPEAT_AFTER = Duration.ofSeconds(30);

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

    private final Identity identity;
    private final Settings settings;
    private final Slurm slurm;
    private final AgentClient berth;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final AgentMeters meters;
    private final String prefix;
    private final Ownership ownership;
    private final Owners owners = new Owners(this::isOurs);

    private final KnownUsers knownUsers;
    private final OutNodes out = new OutNodes();
    private final Report<List<AgentReport.Outage>> outages = new Report<>();
    private final Report<List<AgentReport.Job>> jobsOutside = new Report<>();
    private final Set<UUID> claimed = new HashSet<>();
    private long sequence;
    private Optional<Configuration> configuration = Optional.empty();
    private Instant configuredAt = Instant.EPOCH;
    private Set<AgentReport.Part> lastReported = Set.of();
    private Set<SlurmReservation> wereInPlace = Set.of();
    private Instant allReportedAt = Instant.EPOCH;
    private Map<String, String> lastRefused = Map.of();

    private boolean isTimeOff;
    private Set<String> lastLeftOut = Set.of();
    private Set<String> lastUnreadable = Set.of();
    private Set<String> lastStrangers = Set.of();
    private Set<String> lastIntruders = Set.of();

    Agent(
            Identity identity,
            Settings settings,
            Slurm slurm,
            AgentClient berth,
            InstantSource clock,
            Consumer<String> log,
            AgentMeters meters) {
        this.identity = identity;
        this.settings = settings;
        this.slurm = slurm;
        this.knownUsers = new KnownUsers(slurm);
        this.berth = berth;
        this.clock = clock;
        this.log = log;
        this.meters = meters;
        this.prefix = "berth.%s.".formatted(settings.cluster());
        this.ownership =
                new Ownership(prefix, settings.adopts(), berth::hasRecordedReservation, berth::hasRecordedOutage);
    }

    /**
     * The state at the beginning of a pass.
     *
     * @param nodes the nodes of the PEs that the cluster has
     * @param all all reservations in Slurm, including those of others
     */
    private record Observation(Instant now, NodeList nodes, Partitions partitions, List<SlurmReservation> all) {
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
        return new Observation(clock.instant(), nodes, slurm.partitions(nodes), slurm.reservations());
    }

    /** Compares this machine's clock with Berth's: Slurm would begin reservations early or late, or never get short ones. */
    private void requireSameTime() {
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
     * Compares both sides and corrects the differences.
     *
     * @throws BerthUnavailable if the clocks differ too much, if the plan cannot be read, or if another agent acts for the cluster
     * @throws SlurmUnavailable if Slurm cannot be read
     */
    Findings pass() {
        long begin = System.nanoTime();
        var observed = observe();
        requireSameTime();
        // fails if another agent acts for the cluster
        reportParts(observed, List.of());
        var plan = plan(observed);
        tellApart(plan, observed);
        var jobs = jobs(observed);
        reportOutside(observed, jobs);
        lastUnreadable = logNew(slurm.takeUnreadable(), lastUnreadable);
        sequence = plan.sequence();
        meters.drifted(drifted(plan, observed));
        var wanted = widened(plan, observed, jobs);
        owners.learn(plan.owners(), jobs);
        var intruders = Intruder.find(plan.wanted(), jobs, owners, observed.second());
        lastIntruders = logNew(said(intruders), lastIntruders);
        var findings = reconcile(plan, wanted, observed, intruders, MAX_ROUNDS);
        wereInPlace = plan.wanted().stream()
                .filter(each -> findings.inPlace().contains(each.name()))
                .collect(Collectors.toSet());
        reportNewParts(AgentReport.withWaiting(findings.parts(), lastReported, plan), observed);
        claim(plan.running());
        clearTheWay(plan, findings.inPlace(), intruders, observed.second());
        cutLimits(findings, jobs, observed.second());
        meters.passed(
                Duration.ofNanos(System.nanoTime() - begin),
                findings.inPlace().size(),
                findings.refused().size(),
                observed.now());
        return findings;
    }

    /** Makes one round of changes to Slurm without reporting anything to Berth. */
    void round() {
        var observed = observe();
        var plan = plan(observed);
        tellApart(plan, observed);
        var unused = reconcile(plan, widened(plan, observed, jobs(observed)), observed, Map.of(), 1);
    }

    /** Returns the promised reservations with their margins. */
    private List<SlurmReservation> widened(AgentPlan plan, Observation observed, List<SlurmJob> jobs) {
        var others = Stream.concat(foreign(observed.all()), plan.maintenances().stream())
                .toList();
        return Margins.widened(plan.wanted(), others, jobs, margin(), observed.second());
    }

    /** Returns the jobs without those that give way to jobs in reservations. */
    private List<SlurmJob> jobs(Observation observed) {
        var preemption = configuration(observed.now()).preemption();
        return slurm.jobs().stream()
                .filter(job -> !preemption.makesWay(job, observed.partitions()))
                .toList();
    }

    private Configuration configuration(Instant now) {
        if (configuration.isEmpty() || !now.isBefore(configuredAt.plus(REPEAT_AFTER))) {
            configuration = Optional.of(slurm.configuration());
            configuredAt = now;
        }
        return configuration.get();
    }

    private long margin() {
        return settings.margin().toSeconds();
    }

    private AgentPlan plan(Observation observed) {
        var plan = berth.plan(observed.nodes(), settings.users(), prefix, observed.now(), ahead(observed.partitions()));
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

    private boolean isOurs(String reservation) {
        return ownership.isOurs(reservation);
    }

    /** Finds out which reservations are this Berth's. Logs those of another Berth once. */
    private void tellApart(AgentPlan plan, Observation observed) {
        var strangers = ownership.look(
                observed.all().stream().map(SlurmReservation::name).toList(), plan.names());
        if (!strangers.isEmpty() && !strangers.equals(lastStrangers)) {
            log.accept(STRANGERS.formatted(
                    strangers.size(), strangers.stream().limit(5).collect(Collectors.joining(", "))));
        }
        lastStrangers = strangers;
    }

    // ---- reports to Berth

    /** Reports outages and jobs. The agent logs what Berth rejects once, and follows the plan in any case. */
    private void reportOutside(Observation observed, List<SlurmJob> jobs) {
        var leftOut = new LinkedHashSet<String>();
        try {
            leftOut.addAll(reportOutages(observed, jobs));
            leftOut.addAll(jobsOutside.report(
                    AgentReport.jobs(
                            jobs,
                            observed.nodes(),
                            observed.partitions().names(),
                            this::isOurs,
                            observed.partitions().longest().orElse(YEAR.toSeconds()),
                            observed.second()),
                    berth::reportJobs));
        } catch (BerthUnavailable e) {
            leftOut.add("Berth did not accept: " + e.getMessage());
        }
        lastLeftOut = logNew(leftOut, lastLeftOut);
    }

    /** Logs the lines that were not logged in the last pass. Returns all lines. */
    private Set<String> logNew(Set<String> lines, Set<String> before) {
        lines.stream().filter(line -> !before.contains(line)).forEach(log);
        return lines;
    }

    private List<String> reportOutages(Observation observed, List<SlurmJob> jobs) {
        return switch (out.find(nodes(observed, jobs), observed.nodes(), promised(observed.all()), observed.now())) {
            case TooMany(int count) ->
                List.of(
                        "%d nodes are out of service, which is most of them. The agent reports them if this lasts for a minute."
                                .formatted(count));
            case Out(var nodes) -> {
                var foreign = observed.all().stream()
                        .filter(each -> !isOurs(each.name())
                                && each.takes(observed.nodes().names()))
                        .toList();
                yield outages.report(
                        AgentReport.outages(nodes, foreign, observed.nodes(), observed.second()), berth::reportOutages);
            }
        };
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

    /** Reports the parts that have changed, and from time to time all parts. */
    private void reportNewParts(List<AgentReport.Part> parts, Observation observed) {
        var now = observed.now();
        boolean isTimeForAll = !now.isBefore(allReportedAt.plus(REPEAT_AFTER));
        var fresh = parts.stream()
                .filter(part -> isTimeForAll || !lastReported.contains(part))
                .toList();
        if (!fresh.isEmpty()) {
            reportParts(observed, fresh);
        }
        allReportedAt = isTimeForAll ? now : allReportedAt;
        lastReported = Set.copyOf(parts);
    }

    private void reportParts(Observation observed, List<AgentReport.Part> parts) {
        berth.report(new AgentReport.Enforcement(
                identity.name(),
                identity.version(),
                sequence,
                configuration(observed.now()).machine(),
                HostList.foldInOrder(observed.nodes().names()),
                ahead(observed.partitions()).toString(),
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

    /** Claims the running reservations in which a job has begun, even if the job ended between two passes. */
    private void claim(Set<UUID> running) {
        claimed.retainAll(running);
        var unclaimed = running.stream().filter(id -> !claimed.contains(id)).toList();
        if (unclaimed.isEmpty()) {
            return;
        }
        var begun = slurm.begun();
        unclaimed.stream()
                .filter(id -> begun.stream().anyMatch(name -> name.startsWith(prefix + id + ".")))
                .filter(berth::claim)
                .forEach(claimed::add);
    }

    // ---- changes to Slurm

    private Findings reconcile(
            AgentPlan plan,
            List<SlurmReservation> wanted,
            Observation observed,
            Map<String, List<Intruder>> intruders,
            int rounds) {
        long now = observed.second();
        long ahead = observed.now().plus(ahead(observed.partitions())).getEpochSecond();
        var refused = new TreeMap<String, String>();
        var parked = new TreeMap<String, SlurmReservation>();
        int done = 0;
        var all = observed.all();
        for (int round = 1; round <= rounds; round++) {
            // first of all, so that no job of the queue can start on a node that a reservation loses to an outage
            var acts = new ArrayList<>(
                    Reconciliation.changes(maintenances(plan, wanted), maintenances(all), 0, now, ahead));
            acts.addAll(Reconciliation.changes(wanted, promised(all), margin(), now, ahead));
            refused.clear();
            if (acts.isEmpty()) {
                break;
            }
            int before = done;
            for (var act : acts) {
                var ran = blocked(act, all)
                        .map(why -> new ExitResult(1, why))
                        .orElseGet(() -> run(act, observed.partitions().home(), now));
                if (ran.isDone()) {
                    done++;
                    meters.acted();
                    log.accept(line(act));
                } else {
                    refused.put(act.name(), ran.said());
                }
            }
            if (done == before && (round == rounds || !park(acts, parked, now))) {
                break;
            }
            all = slurm.reservations();
        }
        bringBack(parked, promised(all), now);
        plan.impossible().forEach((name, refusal) -> refused.putIfAbsent(name, refusal.why()));
        refused.forEach((name, why) -> {
            if (!why.equals(lastRefused.get(name))) {
                log.accept("%s is not in place: %s".formatted(name, why));
            }
        });
        lastRefused = Map.copyOf(refused);
        var present = Reconciliation.byName(promised(all));
        var inPlace = plan.wanted().stream()
                .filter(each -> present.containsKey(each.name())
                        && present.get(each.name()).covers(each, now))
                .map(SlurmReservation::name)
                .collect(Collectors.toSet());
        var parts = AgentReport.parts(plan, prefix, present, refused, intruders, observed.nodes(), now);
        return new Findings(inPlace, Map.copyOf(refused), parts, all);
    }

    /** Counts the reservations that were in place after the last pass and no longer are, although Berth's plan for them is unchanged. */
    private int drifted(AgentPlan plan, Observation observed) {
        var present = Reconciliation.byName(promised(observed.all()));
        return (int) plan.wanted().stream()
                .filter(wereInPlace::contains)
                .filter(each -> !present.containsKey(each.name())
                        || !present.get(each.name()).covers(each, observed.second()))
                .count();
    }

    /** Returns this agent's reservations for users. */
    private List<SlurmReservation> promised(Collection<SlurmReservation> all) {
        return all.stream()
                .filter(each -> isOurs(each.name()) && !each.isMaintenance())
                .toList();
    }

    /** Returns this agent's reservations for outages. */
    private List<SlurmReservation> maintenances(Collection<SlurmReservation> all) {
        return all.stream()
                .filter(each -> isOurs(each.name()) && each.isMaintenance())
                .toList();
    }

    /**
     * Returns the reservations for outages on the nodes that no promised reservation has at that time. A running reservation keeps its nodes
     * until the outage begins, and no job of the queue can start on them before.
     */
    private static List<SlurmReservation> maintenances(AgentPlan plan, Collection<SlurmReservation> wanted) {
        return plan.maintenances().stream()
                .map(each -> {
                    var nodes = new HashSet<>(each.nodes());
                    wanted.stream().filter(each::isInTheWayOf).forEach(promise -> nodes.removeAll(promise.nodes()));
                    return each.on(nodes);
                })
                .filter(each -> !each.nodes().isEmpty())
                .toList();
    }

    /**
     * Returns why a change must wait: Slurm itself does not notice that a reservation of cores conflicts with one of whole nodes. A foreign
     * reservation over one that exists already, such as a maintenance that begins while it runs, does not keep that one from losing or
     * replacing nodes. A maintenance never waits.
     */
    private Optional<String> blocked(SlurmChange act, Collection<SlurmReservation> all) {
        return switch (act) {
            case Create(var wanted) when wanted.isMaintenance() -> Optional.empty();
            case Update(var _, var wanted) when wanted.isMaintenance() -> Optional.empty();
            case Create(var wanted) -> blocked(wanted, foreign(all).toList());
            case Update(var present, var wanted) ->
                blocked(
                        wanted,
                        foreign(all)
                                .filter(other -> !other.isInTheWayOf(present))
                                .toList());
            case Delete _ -> Optional.empty();
        };
    }

    private static Optional<String> blocked(SlurmReservation wanted, List<SlurmReservation> foreign) {
        return foreign.stream()
                .filter(other -> other.isInTheWayOf(wanted))
                .findFirst()
                .map(other -> "Slurm reservation %s has some of its nodes.".formatted(other.name()));
    }

    private Stream<SlurmReservation> foreign(Collection<SlurmReservation> all) {
        return all.stream().filter(each -> !isOurs(each.name()));
    }

    private ExitResult run(SlurmChange act, Optional<SlurmPartition> home, long now) {
        var ran = switch (act) {
            case Delete(var present) -> slurm.delete(present.name());
            case Update(var present, var wanted) -> slurm.update(present, wanted, now);
            case Create(var wanted) -> slurm.create(wanted, home);
        };
        if (ran.code() == Shell.GIVEN_UP) {
            throw new SlurmUnavailable("slurmctld did not respond in time.");
        }
        return ran;
    }

    /** Moves a reservation far into the future if another one needs its nodes. A later round moves it to its own place. */
    private boolean park(List<SlurmChange> acts, Map<String, SlurmReservation> parked, long now) {
        for (var act : acts) {
            if (act instanceof Update(var present, var _)
                    && present.start() > now
                    && !present.isMaintenance()
                    && !parked.containsKey(act.name())
                    && acts.stream().anyMatch(other -> isWaitingFor(other, present))) {
                parked.put(act.name(), present);
                long start = now + YEAR.toSeconds() * (1 + parked.size());
                var away = present.at(start, start + present.end() - present.start());
                if (slurm.update(present, away, now).isDone()) {
                    log.accept("Moved %s out of the way for now.".formatted(act.name()));
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isWaitingFor(SlurmChange act, SlurmReservation present) {
        return act instanceof Update(var _, var wanted)
                && !wanted.name().equals(present.name())
                && present.isInTheWayOf(wanted);
    }

    /** Returns moved reservations to their old places if Slurm refused their new places. */
    private void bringBack(Map<String, SlurmReservation> parked, List<SlurmReservation> present, long now) {
        for (var each : present) {
            var before = parked.get(each.name());
            if (before != null && each.start() >= now + YEAR.toSeconds()) {
                if (slurm.update(each, before, now).isDone()) {
                    log.accept("Moved %s back to its old place.".formatted(each.name()));
                }
            }
        }
    }

    private static String line(SlurmChange act) {
        return switch (act) {
            case Delete(var present) -> "Deleted %s.".formatted(present.name());
            case Update(var _, var wanted) -> "Updated %s.".formatted(described(wanted));
            case Create(var wanted) -> "Created %s.".formatted(described(wanted));
        };
    }

    private static String described(SlurmReservation reservation) {
        return "%s: %s to %s, nodes %s, users %s"
                .formatted(
                        reservation.name(),
                        Instant.ofEpochSecond(reservation.start()),
                        Instant.ofEpochSecond(reservation.end()),
                        HostList.fold(reservation.nodes()),
                        String.join(",", reservation.users()));
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

    /**
     * Ends jobs on nodes of a reservation that has begun and is in place: always the jobs of other reservations of the cluster, which are
     * over or no longer have these nodes, and jobs outside of reservations if the settings protect reservations.
     */
    private void clearTheWay(AgentPlan plan, Set<String> inPlace, Map<String, List<Intruder>> intruders, long now) {
        var live = plan.names();
        plan.wanted().stream()
                .filter(each -> each.start() <= now && each.end() > now && inPlace.contains(each.name()))
                .flatMap(each -> intruders.getOrDefault(each.name(), List.of()).stream())
                .map(Intruder::job)
                .distinct()
                .filter(job -> !job.isEnding())
                .forEach(job -> {
                    boolean isOurs = job.isIn(this::isOurs);
                    boolean isOutside = job.reservations().isEmpty();
                    if (isOurs || isOutside && settings.protect() == Protect.RESERVATIONS) {
                        var why = job.isIn(live::contains)
                                ? ", whose own reservation no longer has all its nodes"
                                : ", whose own reservation is over";
                        log.accept("Ended job %s of %s%s, which is on the nodes of a reservation that has begun."
                                .formatted(job.id(), job.user(), isOurs ? why : ""));
                        slurm.end(job);
                    }
                });
    }

    /** Cuts the time limits of jobs that could not start in their reservations otherwise. */
    private void cutLimits(Findings findings, List<SlurmJob> jobs, long now) {
        findings.all().stream()
                .filter(each -> findings.inPlace().contains(each.name()) && each.start() <= now && each.end() > now)
                .flatMap(each -> LimitCut.find(each, findings.all(), jobs, now).stream())
                .forEach(cut -> {
                    if (slurm.limit(cut.job(), cut.minutes()).isDone()) {
                        log.accept("Cut the time limit of job %s of %s to %d minutes: others have its nodes from %s on."
                                .formatted(
                                        cut.job().id(),
                                        cut.job().user(),
                                        cut.minutes(),
                                        Instant.ofEpochSecond(cut.next())));
                    }
                });
    }
}
