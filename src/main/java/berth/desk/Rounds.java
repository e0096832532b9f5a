package berth.desk;

import berth.cluster.Juggling;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.Admit;
import berth.scheduling.Allowance;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.TurnDown;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the requests that clusters have collected, in {@link IntakeRounds}.
 *
 * <p>What waits is in the schedule, and so on disk: after a restart it is decided as if it had just come together. A round is
 * worked out beside the desk on what its requests before would leave, and handed to the desk as a whole; the desk decides.
 */
public final class Rounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    /** How often an alternative is looked for, where others take it in the meantime. */
    private static final int ATTEMPTS = 3;

    /** How long a round rests that could not be decided whole. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Desks desks;
    private final Threads threads;
    private final InstantSource clock;
    private final Function<AccountName, AccountLimits> limits;

    /** The clusters whose round is being decided. */
    private final Set<ClusterId> underWay = ConcurrentHashMap.newKeySet();

    private final PeriodicCheck pulse;

    /** @param limits what an account may have booked, by its name */
    public Rounds(Desks desks, Threads threads, InstantSource clock, Function<AccountName, AccountLimits> limits) {
        this.desks = desks;
        this.threads = threads;
        this.clock = clock;
        this.limits = limits;
        this.pulse = new PeriodicCheck(threads, "rounds", RETRY, this::work);
        desks.limits().know(limits);
        pulse.start();
    }

    /** Waits until it is known what becomes of a request that is collected, or waits for room, but no longer than that. */
    public void await(ClusterId cluster, ReservationId id, Duration most) {
        PeriodicCheck.await(threads, () -> waits(cluster, id), most);
    }

    private boolean waits(ClusterId cluster, ReservationId id) {
        return desks.schedule(cluster)
                .flatMap(schedule ->
                        schedule.request(id).or(() -> schedule.waiting().find(id)))
                .isPresent();
    }

    private void work() {
        if (desks.isWorking()) {
            desks.clusters().forEach(cluster -> look(cluster.id()));
        }
    }

    private void look(ClusterId cluster) {
        boolean isDue = desks.closed(cluster).isEmpty()
                && desks.schedule(cluster).filter(this::isDue).isPresent();
        if (isDue && underWay.add(cluster)) {
            threads.light().newThread(() -> decideAll(cluster)).start();
        }
    }

    private boolean isDue(ClusterSchedule schedule) {
        long now = clock.instant().getEpochSecond();
        return schedule.requests().stream()
                .anyMatch(request -> IntakeRounds.isDue(schedule.cluster().intake(), request, now));
    }

    private void decideAll(ClusterId cluster) {
        try {
            if (!IntakeRounds.decideAll(() -> waiting(cluster), requests -> decideUnlessClosed(cluster, requests))) {
                PeriodicCheck.sleep(threads, RETRY);
            }
        } catch (Throwable e) {
            log.error("Cluster {}: a round was not decided; it will be tried again.", cluster, e);
            PeriodicCheck.sleep(threads, RETRY);
        } finally {
            underWay.remove(cluster);
        }
    }

    private IntakeRounds.Waiting waiting(ClusterId cluster) {
        var schedule = desks.outlook(cluster).orElseThrow().schedule();
        return new IntakeRounds.Waiting(schedule.cluster().intake(), schedule.requests());
    }

    private boolean decideUnlessClosed(ClusterId cluster, List<IntakeRequest> requests) {
        return !pulse.isClosed() && decide(cluster, requests, 1);
    }

    /** What a request's turn is expected to come to, at an alternative to what it asks if need be. */
    private record Expected(Optional<Alternative> instead, Decision decision) {}

    /** Decides them in this order; answers whether each of them has heard. */
    private boolean decide(ClusterId cluster, List<IntakeRequest> requests, int attempt) {
        var outlook = desks.outlook(cluster).orElseThrow();
        long now = outlook.now();
        var schedule = outlook.schedule();
        var answers = new LinkedHashMap<IntakeRequest, Pending>();
        boolean isWhole = true;
        try {
            for (var request : requests) {
                var expected = considered(cluster, request, schedule, now);
                var decision = expected.map(Expected::decision).orElse(null);
                if (decision instanceof Decision.Accepted(var _, var next)) {
                    schedule = next;
                }
                answers.put(
                        request,
                        decision instanceof Decision.Rejected(var reason)
                                ? turnDown(cluster, request, reason)
                                : admit(cluster, request, expected.flatMap(Expected::instead)));
            }
        } catch (SideDesk.Overloaded e) {
            log.debug("Cluster {}: a round goes on later.", cluster, e);
            isWhole = false;
        }
        var lost = new LinkedHashMap<IntakeRequest, Rejection>();
        for (var turn : answers.entrySet()) {
            var answer = answer(cluster, turn.getValue());
            isWhole &= answer instanceof Answer.Done || answer instanceof Answer.Refused;
            if (answer instanceof Answer.Refused(var reason) && reason.lacksRoom()) {
                lost.put(turn.getKey(), reason);
            }
        }
        return (lost.isEmpty() || tryAgain(cluster, lost, attempt)) && isWhole;
    }

    /** Looks for other alternatives for those whose place others took in the meantime. */
    private boolean tryAgain(ClusterId cluster, Map<IntakeRequest, Rejection> lost, int attempt) {
        if (attempt < ATTEMPTS) {
            return decide(cluster, List.copyOf(lost.keySet()), attempt + 1);
        }
        boolean isWhole = true;
        for (var refused : lost.entrySet()) {
            var answer = answer(cluster, turnDown(cluster, refused.getKey(), refused.getValue()));
            isWhole &= answer instanceof Answer.Done || answer instanceof Answer.Refused;
        }
        return isWhole;
    }

    /**
     * What the decision on a request comes to where those before it have been decided; empty where nobody is moved to let
     * another in, no batch job is planned and no alternative is taken, since the desk finds that out as fast. It waits for a
     * turn of the round, not for that of its account: however much that asks for beside, it keeps none of the others from
     * theirs.
     */
    private Optional<Expected> considered(
            ClusterId cluster, IntakeRequest request, ClusterSchedule schedule, long now) {
        boolean isSoonKnown = schedule.cluster().policy().juggling() == Juggling.NEVER
                && !schedule.needsPlans()
                && request.leeway().isEmpty();
        if (isSoonKnown) {
            return Optional.empty();
        }
        var owner = request.origin().owner();
        var allowance = desks.limits().allowance(cluster, owner, limits.apply(owner));
        try {
            return Optional.of(desks.compute(cluster, () -> expected(request, allowance, schedule, now)));
        } catch (SideDesk.Unanswered e) {
            // the desk takes its time for it, so that those behind it do not wait for ever
            return Optional.empty();
        }
    }

    private static Expected expected(IntakeRequest request, Allowance allowance, ClusterSchedule schedule, long now) {
        var asked = new Admit(request.id(), allowance).ask(request, schedule, now);
        var instead = asked instanceof Decision.Rejected(var reason) && reason.lacksRoom()
                ? Admit.instead(request, schedule, now)
                : Optional.<Alternative>empty();
        return new Expected(
                instead,
                instead.isPresent() ? new Admit(request.id(), instead, allowance).ask(request, schedule, now) : asked);
    }

    private Pending admit(ClusterId cluster, IntakeRequest request, Optional<Alternative> instead) {
        var owner = request.origin().owner();
        var booking = new Booking(owner, limits.apply(owner), allowance -> new Admit(request.id(), instead, allowance));
        return desks.submit(cluster, booking, Pending.Reach.ALL, Keys.Turn.WITHOUT_KEY);
    }

    private Pending turnDown(ClusterId cluster, IntakeRequest request, Rejection reason) {
        return desks.desk(cluster).submit(new TurnDown(request.id(), reason), Optional.empty());
    }

    /** One whose decision fails keeps none of the others from theirs; what was withdrawn in the meantime is refused. */
    private Answer answer(ClusterId cluster, Pending pending) {
        try {
            return desks.await(pending);
        } catch (RuntimeException e) {
            log.error("Cluster {}: a request could not be decided; it will be tried again.", cluster, e);
            return new Answer.NotDecided("It has failed.");
        }
    }

    /** Begins no round any more. */
    @Override
    public void close() {
        pulse.close();
    }
}
