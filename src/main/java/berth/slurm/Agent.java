package berth.slurm;

import berth.slurm.Act.Create;
import berth.slurm.Act.Delete;
import berth.slurm.Act.Update;
import berth.slurm.Shell.Ran;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
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
     * @param ahead how long before its start a reservation is put in place; empty: as long as a job may run, and ten minutes
     */
    record Duty(String cluster, NodeList nodes, UserMap users, Optional<Duration> ahead, Protect protect) {}

    /**
     * What a pass has found.
     *
     * @param inPlace how many reservations Slurm has as they are promised
     * @param acts how many changes have been made
     * @param refused what Slurm refuses, by the name of the reservation
     */
    record Findings(int inPlace, int acts, Map<String, String> refused) {
        boolean isAllInPlace() {
            return refused.isEmpty();
        }
    }

    private static final int MOST_ROUNDS = 20;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration SECOND_LOOK = Duration.ofMinutes(1);
    private static final Duration STAYS_BACK = Duration.ofMinutes(1);
    private static final Duration STAYS_OUT = Duration.ofMinutes(1);
    private static final Duration MARGIN = Duration.ofMinutes(10);
    private static final String SOURCE = "slurm";

    private final Duty duty;
    private final Slurm slurm;
    private final BerthClient berth;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final String prefix;

    private final Map<String, Out> out = new HashMap<>();
    private final Set<UUID> claimed = new HashSet<>();
    /**
     * A node that is out of service.
     *
     * @param since when it was first seen so
     * @param lately when it was last seen so
     * @param reason in the words in which it went, which do not change while it is away
     */
    private record Out(Instant since, Instant lately, String reason) {}

    private Map<String, String> lastRefused = Map.of();
    private Set<String> lastLeftOut = Set.of();
    private Optional<Instant> suspicion = Optional.empty();

    Agent(Duty duty, Slurm slurm, BerthClient berth, InstantSource clock, Consumer<String> log) {
        this.duty = duty;
        this.slurm = slurm;
        this.berth = berth;
        this.clock = clock;
        this.log = log;
        this.prefix = "berth.%s.".formatted(duty.cluster());
    }

    /**
     * Looks at both sides and puts right what separates them.
     *
     * @throws BerthAway if the plan cannot be read, or Berth does not listen
     * @throws SlurmAway if Slurm cannot be read
     */
    Findings pass() {
        slurm.requireAnswer();
        var now = clock.instant();
        var ahead = ahead();
        var jobs = slurm.jobs();
        tellOutages(slurm.reservations(), now);
        tellJobs(jobs, now);
        var plan = berth.plan(duty.nodes(), duty.users(), prefix, now, ahead);
        var findings =
                reconcile(plan.wanted(), now.getEpochSecond(), now.plus(ahead).getEpochSecond());
        claim(jobs, plan.running());
        clearTheWay(plan.wanted(), jobs, now.getEpochSecond());
        return findings;
    }

    /** Puts right in Slurm what separates it from the plan, and tells Berth nothing. */
    Findings reconcile() {
        slurm.requireAnswer();
        var now = clock.instant();
        var ahead = ahead();
        var plan = berth.plan(duty.nodes(), duty.users(), prefix, now, ahead);
        return reconcile(plan.wanted(), now.getEpochSecond(), now.plus(ahead).getEpochSecond());
    }

    private Duration ahead() {
        return duty.ahead().orElseGet(() -> {
            var longest = slurm.longestJob(duty.nodes());
            return longest.isPresent() ? Duration.ofSeconds(longest.getAsLong()).plus(MARGIN) : YEAR;
        });
    }

    // ---- what Berth is told

    private void tellOutages(Collection<SlurmReservation> all, Instant now) {
        for (var node : slurm.nodes()) {
            if (node.isOut() && duty.nodes().has(node.name())) {
                var reason = "%s is %s: %s".formatted(node.name(), node.state(), node.reason());
                out.merge(
                        node.name(),
                        new Out(now, now, reason),
                        (before, seen) -> new Out(before.since(), seen.lately(), before.reason()));
            }
        }
        out.values().removeIf(each -> !each.lately().plus(STAYS_BACK).isAfter(now));
        // that most are out is believed a minute later: what is promised there fails, and a network comes back
        boolean isSuspicious = out.size() > 1 && out.size() * 2 > duty.nodes().size();
        var told = out.entrySet().stream()
                .filter(each -> !isSuspicious
                        || !each.getValue().since().plus(STAYS_OUT).isAfter(now))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().reason()));
        var foreign = all.stream()
                .filter(each -> !each.name().startsWith(prefix)
                        && each.takes(duty.nodes().names()))
                .toList();
        note(berth.tellOutages(SOURCE, Told.outages(told, foreign, duty.nodes(), now.getEpochSecond())));
    }

    private void tellJobs(List<SlurmJob> jobs, Instant now) {
        long longest = slurm.longestJob(duty.nodes()).orElse(YEAR.toSeconds());
        note(berth.tellJobs(
                Told.jobs(jobs, duty.nodes(), name -> name.startsWith(prefix), longest, now.getEpochSecond())));
    }

    private void note(List<String> leftOut) {
        leftOut.stream().filter(line -> !lastLeftOut.contains(line)).forEach(line -> log.accept("Not taken: " + line));
        var all = new HashSet<>(lastLeftOut);
        all.addAll(leftOut);
        lastLeftOut = all;
    }

    private void claim(List<SlurmJob> jobs, Set<UUID> running) {
        jobs.stream()
                .filter(SlurmJob::isRunning)
                .flatMap(job -> job.reservation().stream())
                .filter(name -> name.startsWith(prefix))
                .map(name -> UUID.fromString(name.substring(prefix.length(), name.lastIndexOf('.'))))
                .filter(running::contains)
                .filter(claimed::add)
                .forEach(berth::claim);
        claimed.retainAll(running);
    }

    // ---- what Slurm is made to have

    private Findings reconcile(List<SlurmReservation> wanted, long now, long ahead) {
        var refused = new TreeMap<String, String>();
        var parked = new HashSet<String>();
        int done = 0;
        var all = slurm.reservations();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            var acts = permitted(Reconciliation.acts(wanted, ours(all), now, ahead), all);
            refused.clear();
            if (acts.isEmpty()) {
                break;
            }
            int before = done;
            for (var act : acts) {
                var ran = blocked(act, all).map(why -> new Ran(1, why)).orElseGet(() -> run(act, now));
                if (ran.isDone()) {
                    done++;
                    log.accept(told(act));
                } else {
                    refused.put(act.name(), ran.said());
                }
            }
            if (done == before && !park(acts, parked, now)) {
                break;
            }
            all = slurm.reservations();
        }
        refused.forEach((name, why) -> {
            if (!why.equals(lastRefused.get(name))) {
                log.accept("%s is not in place: %s".formatted(name, why));
            }
        });
        lastRefused = Map.copyOf(refused);
        var present = ours(all).stream().collect(Collectors.toMap(SlurmReservation::name, each -> each));
        int inPlace = (int) wanted.stream()
                .filter(each -> present.containsKey(each.name())
                        && present.get(each.name()).isAs(each, now))
                .count();
        return new Findings(inPlace, done, Map.copyOf(refused));
    }

    private List<SlurmReservation> ours(Collection<SlurmReservation> all) {
        return all.stream().filter(each -> each.name().startsWith(prefix)).toList();
    }

    /** Without deletions that are too many to be believed at once. */
    private List<Act> permitted(List<Act> acts, Collection<SlurmReservation> all) {
        long deletions = acts.stream().filter(Delete.class::isInstance).count();
        if (!Reconciliation.isSuspicious(deletions, ours(all).size())) {
            suspicion = Optional.empty();
            return acts;
        }
        var since = suspicion.orElseGet(clock::instant);
        if (suspicion.isEmpty()) {
            log.accept("Berth has no promise for %d of %d reservations: they are deleted if that is so in a minute."
                    .formatted(deletions, ours(all).size()));
            suspicion = Optional.of(since);
        }
        if (!clock.instant().isBefore(since.plus(SECOND_LOOK))) {
            return acts;
        }
        return acts.stream().filter(act -> !(act instanceof Delete)).toList();
    }

    /** Slurm does not see reservations of cores in the way of whole nodes. */
    private Optional<String> blocked(Act act, Collection<SlurmReservation> all) {
        var wanted = switch (act) {
            case Create(var each) -> Optional.of(each);
            case Update(var _, var each) -> Optional.of(each);
            case Delete _ -> Optional.<SlurmReservation>empty();
        };
        return wanted.flatMap(each -> all.stream()
                .filter(other -> !other.name().startsWith(prefix) && other.isInTheWayOf(each))
                .findFirst()
                .map(other -> "Slurm reservation %s has some of its nodes.".formatted(other.name())));
    }

    private Ran run(Act act, long now) {
        return switch (act) {
            case Delete(var present) -> slurm.delete(present.name());
            case Update(var present, var wanted) -> slurm.update(present, wanted, now);
            case Create(var wanted) ->
                slurm.create(wanted, duty.protect() == Protect.RESERVATIONS ? List.of("IGNORE_JOBS") : List.of());
        };
    }

    /** Takes one out of the way of those that wait for each other's nodes; the next round brings it back. */
    private boolean park(List<Act> acts, Set<String> parked, long now) {
        for (var act : acts) {
            if (act instanceof Update(var present, var _) && present.start() > now && parked.add(act.name())) {
                long later = YEAR.toSeconds() * (1 + parked.size());
                var away = present.at(present.start() + later, present.end() + later);
                if (slurm.update(present, away, now).isDone()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String told(Act act) {
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
                        String.join(",", reservation.nodes()),
                        String.join(",", reservation.users()));
    }

    /** Ends the jobs outside that are still on the nodes of a reservation that has begun, where these are protected. */
    private void clearTheWay(List<SlurmReservation> wanted, List<SlurmJob> jobs, long now) {
        if (duty.protect() == Protect.JOBS) {
            return;
        }
        var begun = wanted.stream()
                .filter(each -> each.start() <= now && each.end() > now)
                .toList();
        for (var job : jobs) {
            boolean isInTheWay = job.isRunning()
                    && begun.stream()
                            .anyMatch(each -> each.takes(job.nodes())
                                    && !job.reservation().equals(Optional.of(each.name())));
            if (isInTheWay) {
                log.accept("Ended job %s of %s, which is on the nodes of a reservation that has begun."
                        .formatted(job.id(), job.user()));
                slurm.end(job);
            }
        }
    }
}
