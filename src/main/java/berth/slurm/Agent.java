package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.OutNodes.Found.Out;
import berth.slurm.OutNodes.Found.TooMany;
import berth.slurm.Shell.Ran;
import berth.slurm.Slurm.Partitions;
import berth.slurm.SlurmChange.Create;
import berth.slurm.SlurmChange.Delete;
import berth.slurm.SlurmChange.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

/**
 * Makes Slurm follow the plan, pass by pass. A pass reads both sides anew and believes no answer to a change: whatever separates them, be it
 * news, a crash or somebody's hand, is put right in the same way. Where either side cannot be read it changes nothing. What it remembers
 * from pass to pass only spares it calls and lines in the log.
 */
final class Agent {

    /** How the agent treats jobs outside that are in the way of a reservation. */
    enum Protect {
        /** They run to their end; the reservation is put in place once they are gone. */
        JOBS,
        /** They may run until the reservation begins, and are ended then. */
        RESERVATIONS
    }

    /**
     * What an agent is for.
     *
     * @param cluster the name of the cluster in Berth
     * @param nodes what its nodes are called, in the order of its PEs; empty: as Berth has it
     * @param ahead how long before its start a reservation is put in place; empty: as long as a job may run, and ten minutes
     */
    record Duty(String cluster, Optional<String> nodes, UserMap users, Optional<Duration> ahead, Protect protect) {}

    /**
     * What the agent calls itself to Berth.
     *
     * @param name that no other agent of the cluster has
     * @param version of its program
     */
    record Who(String name, String version) {}

    /**
     * What a pass has found.
     *
     * @param inPlace the names of the reservations that Slurm has as they are promised
     * @param refused what Slurm refuses, by the name of the reservation
     * @param parts how far what is promised is in place, for Berth
     */
    record Findings(Set<String> inPlace, Map<String, String> refused, List<SlurmReport.Part> parts) {
        boolean isAllInPlace() {
            return refused.isEmpty();
        }
    }

    private static final int MAX_ROUNDS = 20;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration MARGIN = Duration.ofMinutes(10);

    /** That most reservations are to go is believed after so long. */
    private static final Duration DOUBT = Duration.ofMinutes(1);

    private static final String SOURCE = "slurm";

    /** All that was told is told again after so long: Berth may have been restored from a backup. */
    private static final Duration TELL_AGAIN = Duration.ofSeconds(30);

    /** What was told last of something, and when; telling it again is left out for a while. */
    private final class Repeated<T> {
        private Optional<T> last = Optional.empty();
        private Instant at = Instant.EPOCH;
        private List<String> answer = List.of();

        List<String> tell(T what, Function<T, List<String>> call) {
            boolean isTold =
                    last.filter(what::equals).isPresent() && clock.instant().isBefore(at.plus(TELL_AGAIN));
            if (!isTold) {
                // what is not taken is not told
                last = Optional.empty();
                answer = call.apply(what);
                last = Optional.of(what);
                at = clock.instant();
            }
            return answer;
        }
    }

    private final Who who;
    private final Duty duty;
    private final Slurm slurm;
    private final BerthClient berth;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final AgentMeters meters;
    private final String prefix;

    private final OutNodes out = new OutNodes();
    private final Repeated<List<SlurmReport.Outage>> outages = new Repeated<>();
    private final Repeated<List<SlurmReport.Job>> jobsOutside = new Repeated<>();
    private final Set<UUID> claimed = new HashSet<>();
    private long sequence;
    private Set<SlurmReport.Part> lastTold = Set.of();
    private Set<SlurmReservation> wereInPlace = Set.of();
    private Instant allTold = Instant.EPOCH;
    private Map<String, String> lastRefused = Map.of();

    private Set<String> lastLeftOut = Set.of();
    private Optional<Instant> suspicion = Optional.empty();

    Agent(
            Who who,
            Duty duty,
            Slurm slurm,
            BerthClient berth,
            InstantSource clock,
            Consumer<String> log,
            AgentMeters meters) {
        this.who = who;
        this.duty = duty;
        this.slurm = slurm;
        this.berth = berth;
        this.clock = clock;
        this.log = log;
        this.meters = meters;
        this.prefix = "berth.%s.".formatted(duty.cluster());
    }

    /**
     * What a pass goes by.
     *
     * @param nodes of the PEs that the cluster has
     * @param all the reservations in Slurm, those of others included
     */
    private record Look(Instant now, NodeList nodes, Partitions partitions, List<SlurmReservation> all) {
        long second() {
            return now.getEpochSecond();
        }
    }

    private NodeList nodes() {
        try {
            return berth.card().nodes(duty.nodes());
        } catch (IllegalArgumentException e) {
            throw new BerthUnavailable(String.valueOf(e.getMessage()));
        }
    }

    private Look look() {
        slurm.requireAnswer();
        var nodes = nodes();
        return new Look(clock.instant(), nodes, slurm.partitions(nodes), slurm.reservations());
    }

    /**
     * Looks at both sides and puts right what separates them.
     *
     * @throws BerthAway if the plan cannot be read, or another agent speaks for the cluster
     * @throws SlurmAway if Slurm cannot be read
     */
    Findings pass() {
        long begin = System.nanoTime();
        var look = look();
        // another agent may speak for the cluster
        tellParts(List.of());
        var jobs = slurm.jobs();
        tell(look, jobs);
        var plan = plan(look);
        sequence = plan.sequence();
        meters.drifted(drifted(plan, look));
        var findings = reconcile(plan, look, MAX_ROUNDS);
        wereInPlace = plan.wanted().stream()
                .filter(each -> findings.inPlace().contains(each.name()))
                .collect(Collectors.toSet());
        tellNewParts(findings.parts(), look.now());
        claim(jobs, plan.running());
        clearTheWay(plan.wanted(), findings.inPlace(), jobs, look.second());
        meters.passed(
                Duration.ofNanos(System.nanoTime() - begin),
                findings.inPlace().size(),
                findings.refused().size(),
                look.now());
        return findings;
    }

    /** One round of changes to Slurm, and Berth is told nothing. */
    void round() {
        var look = look();
        var unused = reconcile(plan(look), look, 1);
    }

    private Plan plan(Look look) {
        return berth.plan(look.nodes(), duty.users(), prefix, look.now(), ahead(look.partitions()));
    }

    private Duration ahead(Partitions partitions) {
        var longest = partitions.longest();
        return duty.ahead()
                .orElseGet(() -> longest.isPresent()
                        ? Duration.ofSeconds(longest.getAsLong()).plus(MARGIN)
                        : YEAR);
    }

    private boolean isOurs(String reservation) {
        return reservation.startsWith(prefix);
    }

    // ---- what Berth is told

    /** What Berth does not take is said once; the plan is followed all the same. */
    private void tell(Look look, List<SlurmJob> jobs) {
        var leftOut = new LinkedHashSet<String>();
        try {
            leftOut.addAll(tellOutages(look));
            leftOut.addAll(jobsOutside.tell(
                    SlurmReport.jobs(
                            jobs,
                            look.nodes(),
                            look.partitions().names(),
                            this::isOurs,
                            look.partitions().longest().orElse(YEAR.toSeconds()),
                            look.second()),
                    berth::tellJobs));
        } catch (BerthUnavailable e) {
            leftOut.add(e.getMessage());
        }
        leftOut.stream().filter(line -> !lastLeftOut.contains(line)).forEach(line -> log.accept("Not taken: " + line));
        lastLeftOut = leftOut;
    }

    private List<String> tellOutages(Look look) {
        return switch (out.look(slurm.nodes(), look.nodes(), ours(look.all()), look.now())) {
            case TooMany(int count) ->
                List.of("Most nodes are out: %d. They are told if that is so in a minute.".formatted(count));
            case Out(var told) -> {
                var foreign = look.all().stream()
                        .filter(each ->
                                !isOurs(each.name()) && each.takes(look.nodes().names()))
                        .toList();
                yield outages.tell(
                        SlurmReport.outages(told, foreign, look.nodes(), look.second()),
                        all -> berth.tellOutages(SOURCE, all));
            }
        };
    }

    /** What is new of reservations, and now and then all. */
    private void tellNewParts(List<SlurmReport.Part> parts, Instant now) {
        boolean isTimeForAll = !now.isBefore(allTold.plus(TELL_AGAIN));
        var fresh = parts.stream()
                .filter(part -> isTimeForAll || !lastTold.contains(part))
                .toList();
        if (!fresh.isEmpty()) {
            tellParts(fresh);
        }
        allTold = isTimeForAll ? now : allTold;
        lastTold = Set.copyOf(parts);
    }

    private void tellParts(List<SlurmReport.Part> parts) {
        berth.tell(new SlurmReport.Enforcement(who.name(), who.version(), sequence, parts));
    }

    private void claim(List<SlurmJob> jobs, Set<UUID> running) {
        jobs.stream()
                .filter(SlurmJob::isRunning)
                .flatMap(job -> job.reservations().stream())
                .flatMap(name -> running.stream().filter(id -> name.startsWith(prefix + id + ".")))
                .distinct()
                .filter(id -> !claimed.contains(id))
                .filter(berth::claim)
                .forEach(claimed::add);
        claimed.retainAll(running);
    }

    // ---- what Slurm is made to have

    private Findings reconcile(Plan plan, Look look, int rounds) {
        long now = look.second();
        long ahead = look.now().plus(ahead(look.partitions())).getEpochSecond();
        var refused = new TreeMap<String, String>();
        var parked = new TreeMap<String, SlurmReservation>();
        int done = 0;
        var all = look.all();
        for (int round = 1; round <= rounds; round++) {
            var acts = permitted(Reconciliation.acts(plan.wanted(), ours(all), now, ahead), all);
            refused.clear();
            if (acts.isEmpty()) {
                break;
            }
            int before = done;
            for (var act : acts) {
                var ran = blocked(act, all).map(why -> new Ran(1, why)).orElseGet(() -> run(act, now));
                if (ran.isDone()) {
                    done++;
                    meters.acted();
                    log.accept(told(act));
                } else {
                    refused.put(act.name(), ran.said());
                }
            }
            if (done == before && (round == rounds || !park(acts, parked, now))) {
                break;
            }
            all = slurm.reservations();
        }
        bringBack(parked, ours(all), now);
        refused.putAll(plan.impossible());
        refused.forEach((name, why) -> {
            if (!why.equals(lastRefused.get(name))) {
                log.accept("%s is not in place: %s".formatted(name, why));
            }
        });
        lastRefused = Map.copyOf(refused);
        var present = Reconciliation.byName(ours(all));
        var inPlace = plan.wanted().stream()
                .filter(each -> present.containsKey(each.name())
                        && present.get(each.name()).isAs(each, now))
                .map(SlurmReservation::name)
                .collect(Collectors.toSet());
        var parts = SlurmReport.parts(plan, prefix, present, refused, look.nodes(), now);
        return new Findings(inPlace, Map.copyOf(refused), parts);
    }

    /** How many of those that were in place are so no longer, though Berth still has them there. */
    private int drifted(Plan plan, Look look) {
        var present = Reconciliation.byName(ours(look.all()));
        return (int) plan.wanted().stream()
                .filter(wereInPlace::contains)
                .filter(each -> !present.containsKey(each.name())
                        || !present.get(each.name()).isAs(each, look.second()))
                .count();
    }

    private List<SlurmReservation> ours(Collection<SlurmReservation> all) {
        return all.stream().filter(each -> isOurs(each.name())).toList();
    }

    /** Without deletions that are too many to be believed at once. */
    private List<SlurmChange> permitted(List<SlurmChange> acts, Collection<SlurmReservation> all) {
        long deletions = acts.stream().filter(Delete.class::isInstance).count();
        if (!Reconciliation.isSuspicious(deletions, ours(all).size())) {
            suspicion = Optional.empty();
            return acts;
        }
        if (suspicion.isEmpty()) {
            log.accept("Berth has no promise for %d of %d reservations: they are deleted if that is so in a minute."
                    .formatted(deletions, ours(all).size()));
            suspicion = Optional.of(clock.instant());
        }
        boolean isBelieved = !clock.instant().isBefore(suspicion.get().plus(DOUBT));
        return isBelieved
                ? acts
                : acts.stream().filter(act -> !(act instanceof Delete)).toList();
    }

    /** Slurm does not see reservations of cores in the way of whole nodes. */
    private Optional<String> blocked(SlurmChange act, Collection<SlurmReservation> all) {
        var wanted = switch (act) {
            case Create(var each) -> Optional.of(each);
            case Update(var _, var each) -> Optional.of(each);
            case Delete _ -> Optional.<SlurmReservation>empty();
        };
        return wanted.flatMap(each -> all.stream()
                .filter(other -> !isOurs(other.name()) && other.isInTheWayOf(each))
                .findFirst()
                .map(other -> "Slurm reservation %s has some of its nodes.".formatted(other.name())));
    }

    private Ran run(SlurmChange act, long now) {
        var ran = switch (act) {
            case Delete(var present) -> slurm.delete(present.name());
            case Update(var present, var wanted) -> slurm.update(present, wanted, now);
            case Create(var wanted) ->
                slurm.create(wanted, duty.protect() == Protect.RESERVATIONS ? List.of("IGNORE_JOBS") : List.of());
        };
        if (ran.code() == Shell.GIVEN_UP) {
            throw new SlurmUnavailable("slurmctld does not answer in time.");
        }
        return ran;
    }

    /** Takes one that is in the way of another, which waits for its nodes, out of it; a later round brings it back. */
    private boolean park(List<SlurmChange> acts, Map<String, SlurmReservation> parked, long now) {
        for (var act : acts) {
            if (act instanceof Update(var present, var _)
                    && present.start() > now
                    && !parked.containsKey(act.name())
                    && acts.stream().anyMatch(other -> isWaitingFor(other, present))) {
                parked.put(act.name(), present);
                long start = now + YEAR.toSeconds() * (1 + parked.size());
                var away = present.at(start, start + present.end() - present.start());
                if (slurm.update(present, away, now).isDone()) {
                    log.accept("Parked %s.".formatted(act.name()));
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

    /** Where its new place was refused after all it has its old one again. */
    private void bringBack(Map<String, SlurmReservation> parked, List<SlurmReservation> present, long now) {
        for (var each : present) {
            var before = parked.get(each.name());
            if (before != null && each.start() >= now + YEAR.toSeconds()) {
                if (slurm.update(each, before, now).isDone()) {
                    log.accept("Brought back %s.".formatted(each.name()));
                }
            }
        }
    }

    private static String told(SlurmChange act) {
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

    /** Ends the jobs outside that are still on the nodes of a reservation that has begun and is in place, where these are protected. */
    private void clearTheWay(List<SlurmReservation> wanted, Set<String> inPlace, List<SlurmJob> jobs, long now) {
        if (duty.protect() == Protect.JOBS) {
            return;
        }
        var begun = wanted.stream()
                .filter(each -> each.start() <= now && each.end() > now && inPlace.contains(each.name()))
                .toList();
        for (var job : jobs) {
            if (job.isRunning()
                    && !job.isEnding()
                    && job.reservations().isEmpty()
                    && begun.stream().anyMatch(each -> each.takes(job.nodes()))) {
                log.accept("Ended job %s of %s, which is on the nodes of a reservation that has begun."
                        .formatted(job.id(), job.user()));
                slurm.end(job);
            }
        }
    }
}
