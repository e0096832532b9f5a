package berth.engine;

import berth.cluster.Juggling;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.PeriodicCheck;
import berth.runtime.Threads;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Admit;
import berth.scheduling.commands.TurnDown;
import berth.scheduling.places.Alternatives.Alternative;
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
 * <p>The waiting requests are part of the schedule and thus on disk; after a restart they are decided as if they had just arrived together.
 * A round is computed beside the desk, each request on the expected schedule after the previous ones. It is then submitted to the desk as
 * a whole, and the desk decides.
 */
public final class Rounds implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Rounds.class);

    /** How often another alternative is searched for if the last one was taken meanwhile. */
    private static final int ATTEMPTS = 3;

    /** The pause after a round that could not be decided completely. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Desks desks;
    private final AdmissionControl admission;
    private final Threads threads;
    private final InstantSource clock;
    private final Function<AccountName, AccountLimits> limits;

    /** The clusters whose round is in progress. */
    private final Set<ClusterId> underWay = ConcurrentHashMap.newKeySet();

    private final PeriodicCheck pulse;

    /**
     * Creates the component.
     *
     * @param limits returns an account's limits by name
     */
    public Rounds(
            Desks desks,
            AdmissionControl admission,
            Threads threads,
            InstantSource clock,
            Function<AccountName, AccountLimits> limits) {
        this.desks = desks;
        this.admission = admission;
        this.threads = threads;
        this.clock = clock;
        this.limits = limits;
        this.pulse = new PeriodicCheck(threads, "rounds", RETRY, this::work);
        desks.limits().know(limits);
        desks.whenCollected(pulse::wake);
        pulse.start();
    }

    /** Waits until a collected or waiting request has a result, for at most that time. */
    public void await(ClusterId cluster, ReservationId id, Duration most) {
        PeriodicCheck.await(threads, () -> waits(cluster, id), most);
    }

    private boolean waits(ClusterId cluster, ReservationId id) {
        return desks.schedule(cluster)
                .flatMap(schedule ->
                        schedule.request(id).or(() -> schedule.waiting().find(id)))
                .isPresent();
    }

    /** Returns whether a request waits for a round, or may wait for one as soon as the desks are open. */
    private boolean work() {
        if (!desks.isWorking()) {
            return true;
        }
        var collecting = desks.collecting();
        collecting.forEach(this::look);
        return !collecting.isEmpty();
    }

    private void look(ClusterSchedule schedule) {
        var cluster = schedule.cluster().id();
        if (desks.closed(cluster).isEmpty() && isDue(schedule) && underWay.add(cluster)) {
            try {
                threads.light().newThread(() -> decideAll(cluster)).start();
            } catch (RuntimeException | Error e) {
                underWay.remove(cluster);
                throw e;
            }
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
            log.error("Cluster {}: a round could not be decided; Berth tries again.", cluster, e);
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

    /** The expected decision on a request, possibly for an alternative. */
    private record Expected(Optional<Alternative> instead, Decision decision) {}

    /** Decides the requests in this order; returns whether each of them got an answer. */
    private boolean decide(ClusterId cluster, List<IntakeRequest> requests, int attempt) {
        var outlook = desks.outlook(cluster).orElseThrow();
        var answers = new LinkedHashMap<IntakeRequest, Pending>();
        boolean isWhole = true;
        try {
            for (var request : requests) {
                var expected = considered(cluster, request, outlook);
                var decision = expected.map(Expected::decision).orElse(null);
                if (decision instanceof Decision.Accepted(var _, var next)) {
                    outlook = outlook.on(next);
                }
                answers.put(
                        request,
                        decision instanceof Decision.Rejected(var reason)
                                ? turnDown(cluster, request, reason)
                                : admit(cluster, request, expected.flatMap(Expected::instead)));
            }
        } catch (Gate.Overloaded e) {
            log.debug("Cluster {}: a round continues later.", cluster, e);
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

    /** Searches for other alternatives for requests whose alternative was taken meanwhile. */
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
     * Returns the expected decision on a request after those before it; empty if no moves, plans or alternatives are involved, because the
     * desk is then equally fast. It waits for the turn of the round, not of the account, so an account with many computations does not
     * delay the other requests.
     */
    private Optional<Expected> considered(ClusterId cluster, IntakeRequest request, Basis basis) {
        var schedule = basis.schedule();
        boolean isSoonKnown = schedule.cluster().policy().juggling() == Juggling.NEVER
                && !schedule.needsPlans()
                && request.leeway().isEmpty();
        if (isSoonKnown) {
            return Optional.empty();
        }
        var owner = request.origin().owner();
        var within = basis.within(desks.limits().allowance(cluster, owner, limits.apply(owner)));
        try {
            return Optional.of(desks.searches().compute(cluster, () -> expected(request, within)));
        } catch (Gate.Unanswered e) {
            // the desk takes the time, so that later requests do not wait for ever
            return Optional.empty();
        }
    }

    private static Expected expected(IntakeRequest request, Basis basis) {
        var asked = new Admit(request.id()).ask(request, basis);
        var instead = asked instanceof Decision.Rejected(var reason) && reason.lacksRoom()
                ? Admit.instead(request, basis.schedule(), basis.now())
                : Optional.<Alternative>empty();
        return new Expected(
                instead, instead.isPresent() ? new Admit(request.id(), instead).ask(request, basis) : asked);
    }

    private Pending admit(ClusterId cluster, IntakeRequest request, Optional<Alternative> instead) {
        var owner = request.origin().owner();
        var booking = new Booking(owner, limits.apply(owner), new Admit(request.id(), instead));
        return admission.submit(cluster, booking, Pending.Reach.ALL, Keys.Turn.WITHOUT_KEY);
    }

    private Pending turnDown(ClusterId cluster, IntakeRequest request, Rejection reason) {
        return desks.desk(cluster).submit(new TurnDown(request.id(), reason), Optional.empty());
    }

    /** Returns the answer. A failed decision does not affect other requests; a request that was withdrawn meanwhile is refused. */
    private Answer answer(ClusterId cluster, Pending pending) {
        try {
            return desks.await(pending);
        } catch (RuntimeException e) {
            log.error("Cluster {}: a request could not be decided; Berth tries again.", cluster, e);
            return new Answer.NotDecided("The decision failed.");
        }
    }

    /** Starts no more rounds. */
    @Override
    public void close() {
        pulse.close();
    }
}
