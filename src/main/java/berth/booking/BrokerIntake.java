package berth.booking;

import berth.booking.Broker.Outcome;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.engine.Keys;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.scheduling.Decision;
import berth.scheduling.Rejection;
import berth.scheduling.commands.Collect;
import berth.sla.Violation;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Takes in requests without a cluster. If the installation collects them, they are recorded and decided in {@link BrokerRounds}. A hold
 * needs an answer now and is never collected.
 */
public final class BrokerIntake {

    private final Intake rules;
    private final BrokerRounds rounds;
    private final Desks desks;
    private final Clusters clusters;
    private final InstantSource clock;

    BrokerIntake(Intake rules, BrokerRounds rounds, Desks desks, Clusters clusters, InstantSource clock) {
        this.rules = rules;
        this.rounds = rounds;
        this.desks = desks;
        this.clusters = clusters;
        this.clock = clock;
        desks.limits().count(rounds::waitingOf);
    }

    /**
     * Takes in a request: collects it, or refuses it at once because it could never be granted or too many wait.
     *
     * @param priority the priority of the account, 10 the highest
     * @return empty if the request is not collected, so the broker decides it at once
     */
    Optional<Outcome> take(Request request, int priority, Keys.Turn turn) {
        return take(request, priority, collected -> rounds.add(collected, turn.use()));
    }

    /** Returns what {@link #take} would do. Changes nothing. */
    Optional<Outcome> tryToTake(Request request, int priority) {
        return take(request, priority, _ -> {});
    }

    private Optional<Outcome> take(Request request, int priority, Consumer<CollectedRequest> add) {
        if (rules.order() != IntakeOrder.DPSAR || request.hold().isPresent()) {
            return Optional.empty();
        }
        return full().or(() -> never(request, priority)).or(() -> Optional.of(collected(request, priority, add)));
    }

    private Outcome collected(Request request, int priority, Consumer<CollectedRequest> add) {
        var waiting = IntakeRequest.pending(
                        request.id(),
                        request.origin(),
                        priority,
                        request.terms(),
                        request.start(),
                        clock.instant().getEpochSecond())
                .within(request.leeway());
        return desks.limits()
                .<Outcome>within(
                        request.origin().owner(),
                        request.limits(),
                        (allowance, now) -> allowance.exceeded(waiting, now),
                        () -> {
                            add.accept(new CollectedRequest(waiting, request.preference(), request.only()));
                            return new Outcome.Collected(waiting);
                        },
                        Outcome.Ended::new);
    }

    private Optional<Outcome> full() {
        return rounds.isFull()
                ? Optional.of(new Outcome.Ended(new Answer.Refused(new Rejection.LimitExceeded(new Violation(
                        "intake",
                        "%d requests wait for their round already; send this one after the round"
                                .formatted(Collect.MAX))))))
                : Optional.empty();
    }

    /** Returns why no cluster could ever hold the request, so that it need not wait for a refusal; empty if one could. */
    private Optional<Outcome> never(Request request, int priority) {
        var reasons = new LinkedHashMap<ClusterId, Rejection>();
        for (var cluster : request.among(desks.clustersInUse(), Cluster::id)) {
            var reason = here(request, priority, cluster.id());
            if (reason.isEmpty()) {
                return Optional.empty();
            }
            reasons.put(cluster.id(), reason.get());
        }
        for (var cluster : clusters.elsewhere(request, Set.of())) {
            var reason = cluster.never(request.terms());
            if (reason.isEmpty()) {
                return Optional.empty();
            }
            reasons.put(cluster.id(), reason.get());
        }
        return Optional.of(new Outcome.NeverFits(reasons));
    }

    private Optional<Rejection> here(Request request, int priority, ClusterId cluster) {
        var collect = new Collect(
                request.id(), request.origin(), priority, request.terms(), request.start(), request.leeway());
        return desks.funded(cluster)
                .map(collect::decide)
                .filter(Decision.Rejected.class::isInstance)
                .map(decision -> ((Decision.Rejected) decision).reason())
                .filter(reason -> reason instanceof Rejection.NeverFits || reason instanceof Rejection.InvalidTerms);
    }
}
