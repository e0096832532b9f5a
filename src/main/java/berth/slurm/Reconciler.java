package berth.slurm;

import berth.cluster.HostList;
import berth.slurm.MachineChange.Create;
import berth.slurm.MachineChange.Delete;
import berth.slurm.MachineChange.Update;
import berth.slurm.Shell.ExitResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Makes Slurm's reservations what the plan wants, round by round, and clears their nodes once they have begun. */
final class Reconciler {

    /**
     * What Slurm has after the changes.
     *
     * @param inPlace the names of the reservations that Slurm has as Berth promised them
     * @param refused Slurm's error messages, by the name of the reservation
     * @param all all reservations in Slurm
     */
    record Reconciled(Set<String> inPlace, Map<String, String> refused, List<MachineReservation> all) {
        boolean isAllInPlace() {
            return refused.isEmpty();
        }
    }

    private final Slurm slurm;
    private final Agent.Settings settings;
    private final Predicate<String> isOurs;
    private final Consumer<String> log;
    private final AgentMeters meters;
    private final NewLines notInPlace;

    /** @param isOurs whether a reservation is this agent's */
    Reconciler(
            Slurm slurm, Agent.Settings settings, Predicate<String> isOurs, Consumer<String> log, AgentMeters meters) {
        this.slurm = slurm;
        this.settings = settings;
        this.isOurs = isOurs;
        this.log = log;
        this.meters = meters;
        this.notInPlace = new NewLines(log);
    }

    /**
     * Corrects the differences in at most so many rounds.
     *
     * @param wanted the reservations of the plan, with their margins
     */
    Reconciled reconcile(AgentPlan plan, List<MachineReservation> wanted, Agent.Observation observed, int rounds) {
        long now = observed.second();
        long ahead = observed.now().plus(observed.ahead()).getEpochSecond();
        var refused = new TreeMap<String, String>();
        var parked = new TreeMap<String, MachineReservation>();
        int done = 0;
        var all = observed.all();
        for (int round = 1; round <= rounds; round++) {
            // first of all, so that no job of the queue can start on a node that a reservation loses to an outage
            var acts = new ArrayList<>(Reconciliation.changes(
                    maintenances(plan, wanted), Reconciliation.maintenances(all, isOurs), 0, now, ahead));
            acts.addAll(Reconciliation.changes(
                    wanted,
                    Reconciliation.promised(all, isOurs),
                    settings.margin().toSeconds(),
                    now,
                    ahead));
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
        bringBack(parked, Reconciliation.promised(all, isOurs), now);
        plan.impossible().forEach((name, refusal) -> refused.putIfAbsent(name, refusal.why()));
        notInPlace.log(refused.entrySet().stream()
                .map(each -> "%s is not in place: %s".formatted(each.getKey(), each.getValue()))
                .toList());
        var present = Reconciliation.byName(Reconciliation.promised(all, isOurs));
        var inPlace = plan.wanted().stream()
                .filter(each -> present.containsKey(each.name())
                        && present.get(each.name()).covers(each, now))
                .map(MachineReservation::name)
                .collect(Collectors.toSet());
        return new Reconciled(inPlace, Map.copyOf(refused), all);
    }

    /**
     * Returns the reservations for outages on the nodes that no promised reservation has at that time. A running reservation keeps its nodes
     * until the outage begins, and no job of the queue can start on them before.
     */
    private static List<MachineReservation> maintenances(AgentPlan plan, Collection<MachineReservation> wanted) {
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
    private Optional<String> blocked(MachineChange act, Collection<MachineReservation> all) {
        return switch (act) {
            case Create(var wanted) when wanted.isMaintenance() -> Optional.empty();
            case Update(var _, var wanted) when wanted.isMaintenance() -> Optional.empty();
            case Create(var wanted) -> blocked(wanted, Reconciliation.foreign(all, isOurs));
            case Update(var present, var wanted) ->
                blocked(
                        wanted,
                        Reconciliation.foreign(all, isOurs).stream()
                                .filter(other -> !other.isInTheWayOf(present))
                                .toList());
            case Delete _ -> Optional.empty();
        };
    }

    private static Optional<String> blocked(MachineReservation wanted, List<MachineReservation> foreign) {
        return foreign.stream()
                .filter(other -> other.isInTheWayOf(wanted))
                .findFirst()
                .map(other -> "Slurm reservation %s has some of its nodes.".formatted(other.name()));
    }

    private ExitResult run(MachineChange act, Optional<SlurmPartition> home, long now) {
        var ran = switch (act) {
            case Delete(var present) ->
                slurm.delete(
                        present.name(),
                        job -> log.accept("Ended job %s of %s to delete its reservation %s."
                                .formatted(job.id(), job.user(), present.name())));
            case Update(var present, var wanted) -> slurm.update(present, wanted, now);
            case Create(var wanted) -> slurm.create(wanted, home);
        };
        if (ran.code() == Shell.GIVEN_UP) {
            throw new SlurmUnavailable("slurmctld did not respond in time.");
        }
        return ran;
    }

    /** Moves a reservation far into the future if another one needs its nodes. A later round moves it to its own place. */
    private boolean park(List<MachineChange> acts, Map<String, MachineReservation> parked, long now) {
        for (var act : acts) {
            if (act instanceof Update(var present, var _)
                    && present.start() > now
                    && !present.isMaintenance()
                    && !parked.containsKey(act.name())
                    && acts.stream().anyMatch(other -> isWaitingFor(other, present))) {
                parked.put(act.name(), present);
                long start = now + Agent.YEAR.toSeconds() * (1 + parked.size());
                var away = present.at(start, start + present.end() - present.start());
                if (slurm.update(present, away, now).isDone()) {
                    log.accept("Moved %s out of the way for now.".formatted(act.name()));
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isWaitingFor(MachineChange act, MachineReservation present) {
        return act instanceof Update(var _, var wanted)
                && !wanted.name().equals(present.name())
                && present.isInTheWayOf(wanted);
    }

    /** Returns moved reservations to their old places if Slurm refused their new places. */
    private void bringBack(Map<String, MachineReservation> parked, List<MachineReservation> present, long now) {
        for (var each : present) {
            var before = parked.get(each.name());
            if (before != null && each.start() >= now + Agent.YEAR.toSeconds()) {
                if (slurm.update(each, before, now).isDone()) {
                    log.accept("Moved %s back to its old place.".formatted(each.name()));
                }
            }
        }
    }

    private static String line(MachineChange act) {
        return switch (act) {
            case Delete(var present) -> "Deleted %s.".formatted(present.name());
            case Update(var _, var wanted) -> "Updated %s.".formatted(described(wanted));
            case Create(var wanted) -> "Created %s.".formatted(described(wanted));
        };
    }

    private static String described(MachineReservation reservation) {
        return "%s: %s to %s, nodes %s, users %s"
                .formatted(
                        reservation.name(),
                        Instant.ofEpochSecond(reservation.start()),
                        Instant.ofEpochSecond(reservation.end()),
                        HostList.fold(reservation.nodes()),
                        String.join(",", reservation.users()));
    }

    /**
     * Ends jobs on nodes of a reservation that has begun and is in place: always the jobs of other reservations of the cluster, which are
     * over or no longer have these nodes, and jobs outside of reservations if the settings protect reservations.
     */
    void clearTheWay(AgentPlan plan, Set<String> inPlace, Map<String, List<Intruder>> intruders, long now) {
        var live = plan.names();
        plan.wanted().stream()
                .filter(each -> each.start() <= now && each.end() > now && inPlace.contains(each.name()))
                .flatMap(each -> intruders.getOrDefault(each.name(), List.of()).stream())
                .map(Intruder::job)
                .distinct()
                .filter(job -> !job.isEnding())
                .forEach(job -> {
                    boolean isInOurs = job.isIn(isOurs);
                    boolean isOutside = job.reservations().isEmpty();
                    if (isInOurs || isOutside && settings.protect() == Agent.Protect.RESERVATIONS) {
                        var why = job.isIn(live::contains)
                                ? ", whose own reservation no longer has all its nodes"
                                : ", whose own reservation is over";
                        log.accept("Ended job %s of %s%s, which is on the nodes of a reservation that has begun."
                                .formatted(job.id(), job.user(), isInOurs ? why : ""));
                        slurm.end(job);
                    }
                });
    }

    /** Cuts the time limits of jobs that could not start in their reservations otherwise. */
    void cutLimits(Reconciled after, List<SlurmJob> jobs, long now) {
        after.all().stream()
                .filter(each -> after.inPlace().contains(each.name()) && each.start() <= now && each.end() > now)
                .flatMap(each -> LimitCut.find(each, after.all(), jobs, now).stream())
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
