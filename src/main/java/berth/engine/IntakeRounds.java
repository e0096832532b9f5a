package berth.engine;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.intake.Dpsar;
import berth.intake.IntakeRequest;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Runs the rounds in which collected requests are decided, for clusters and for the broker. The first waiting request opens a window; at
 * its end, the round is decided in the order of {@link Dpsar}, and further rounds follow at once while requests are held back. If requests
 * are no longer collected, the waiting ones are decided in the order of arrival.
 */
public final class IntakeRounds {

    private IntakeRounds() {}

    /**
     * The waiting requests.
     *
     * @param rules the rules by which they are decided
     */
    public record Waiting(Intake rules, Collection<IntakeRequest> requests) {}

    /**
     * Whether the window that a request opened has ended.
     *
     * @param now seconds since the epoch
     */
    public static boolean isDue(Intake rules, IntakeRequest request, long now) {
        long window = rules.order() == IntakeOrder.DPSAR ? rules.window() : 0;
        return request.arrivedAt() + window <= now;
    }

    /**
     * Decides one round after another until nothing is held back.
     *
     * @param waiting returns the requests that wait before each round
     * @param decide decides the requests of a round in order; false stops the rounds
     * @return whether all requests were decided
     */
    public static boolean decideAll(Supplier<Waiting> waiting, Predicate<List<IntakeRequest>> decide) {
        List<IntakeRequest> heldBack = List.of();
        do {
            var round = next(waiting.get(), heldBack);
            if (!decide.test(round.decided())) {
                return false;
            }
            heldBack = round.heldBack();
        } while (!heldBack.isEmpty());
        return true;
    }

    private static Dpsar.Round next(Waiting waiting, List<IntakeRequest> heldBack) {
        var rules = waiting.rules;
        if (rules.order() == IntakeOrder.ARRIVAL) {
            return new Dpsar.Round(Dpsar.byArrival(waiting.requests), List.of());
        }
        var present = waiting.requests.stream().map(IntakeRequest::id).collect(Collectors.toSet());
        var before = heldBack.stream()
                .filter(request -> present.contains(request.id()))
                .toList();
        var known = before.stream().map(IntakeRequest::id).collect(Collectors.toSet());
        var fresh = waiting.requests.stream()
                .filter(request -> !known.contains(request.id()))
                .toList();
        return new Dpsar(rules.levels(), rules.jobsPerUser()).round(before, fresh);
    }
}
