package berth.scheduling.places;

import berth.outcome.Outcome;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.scheduling.TermsRule;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A read-only question: which reservation's owner would have to accept a later deadline so that a request fits that does not fit now? Paper
 * 000 (section 2.1) lets the provider ask its clients for more flexibility to resolve an impasse; how to find them is Berth's own method.
 * It takes each movable reservation in the window of the request away, places the request, and places the reservation again after it. The
 * reservation's end is then the deadline that it would need.
 *
 * @param terms the terms that do not fit
 * @param customer the account that asks
 * @param limit the most candidates to return, at least 1
 */
public record BlockerSearch(RequestedTerms terms, Customer customer, int limit) {

    /** The most places to search for. */
    private static final int MAX_SEARCHES = 4_000;

    private static final int DECIMALS = 6;

    /**
     * A reservation whose owner could be asked.
     *
     * @param reservation the reservation
     * @param deadline the deadline that would admit the request, in seconds since the epoch
     * @param phi how much later it is than the agreed deadline, in run times: φ of paper 000
     */
    public record Candidate(ReservationId reservation, long deadline, BigDecimal phi) {}

    /** The result of the search. */
    public sealed interface Answer {
        /** Candidates of which one is enough, by φ; {@code truncated} is true if there may be more. */
        record Candidates(List<Candidate> candidates, boolean truncated) implements Answer {}

        /** No agreement is needed: the request would be admitted. */
        record Fits() implements Answer {}

        /** No agreement would help: the request breaks the cluster's rules. */
        record Refused(Rejection reason) implements Answer {}
    }

    /** Finds the candidates. O(n) for n live reservations, plus the searches for places. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, customer, now)) {
            case Outcome.NotDone(var reason) -> new Answer.Refused(reason);
            case Outcome.Done(var search) -> {
                var trials = new Trials(customer, now, MAX_SEARCHES);
                yield trials.admitted(schedule, terms).isPresent()
                        ? new Answer.Fits()
                        : candidates(schedule, search.terms(), trials, now);
            }
        };
    }

    private Answer candidates(ClusterSchedule schedule, Terms asked, Trials trials, long now) {
        var window = new Slot(asked.window().readyTime(), asked.window().deadline());
        var inTheWay = schedule.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.CONFIRMED && reservation.isMovable(now))
                .filter(reservation -> reservation.slot().overlaps(window))
                .sorted(Comparator.comparing(reservation -> reservation.id().value()))
                .toList();
        var found = new ArrayList<Candidate>();
        boolean truncated = false;
        for (var reservation : inTheWay) {
            truncated |= trials.areOver();
            if (!truncated) {
                candidate(schedule, reservation, trials, now).ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparing(Candidate::phi)
                .thenComparing(candidate -> candidate.reservation().value()));
        return new Answer.Candidates(found.stream().limit(limit).toList(), truncated || found.size() > limit);
    }

    private Optional<Candidate> candidate(ClusterSchedule schedule, Reservation reservation, Trials trials, long now) {
        var rest = schedule.without(reservation.id());
        return behind(rest, reservation, now)
                .filter(end -> end > reservation.terms().window().deadline())
                .filter(end -> loosened(rest, reservation, end, now)
                        .filter(looser -> trials.admitted(looser, terms).isPresent())
                        .isPresent())
                .map(end -> new Candidate(reservation.id(), end, phi(reservation.terms(), end)));
    }

    /** Returns when the reservation would end if the request were placed first; empty if one of them has no place. */
    private Optional<Long> behind(ClusterSchedule rest, Reservation reservation, long now) {
        var cluster = rest.cluster();
        if (!(PlaceSearch.open(rest, terms, customer, now) instanceof Outcome.Done(var search)
                && search.choose() instanceof Search.Found(var place, var _))) {
            return Optional.empty();
        }
        var free = rest.free();
        for (var part : place.parts()) {
            free = free.take(part, false);
        }
        long earliest = Math.max(
                reservation.terms().window().readyTime(), now + cluster.policy().notice());
        long horizon = now + cluster.policy().horizon();
        if (earliest >= horizon) {
            return Optional.empty();
        }
        var window = new Window(earliest, horizon);
        return new ShapeSearch(free, cluster.policy().placement(), cluster.reservablePes(), now)
                .again(reservation, window, cluster.policy().replanning().reshaping())
                .map(behind -> behind.slot().end());
    }

    /** Returns the schedule in which the reservation stays in its place but has accepted that deadline. */
    private static Optional<ClusterSchedule> loosened(
            ClusterSchedule rest, Reservation reservation, long deadline, long now) {
        var agreed = reservation.terms();
        var wanted = RequestedTerms.of(agreed).within(new Window(agreed.window().readyTime(), deadline));
        var cluster = rest.cluster();
        return wanted.resolve(now, TermsRule.bounds(cluster), agreed) instanceof Outcome.Done(var looser)
                ? Optional.of(rest.adding(
                        reservation.renegotiated(looser, reservation.placement(), reservation.charge(), now)))
                : Optional.empty();
    }

    private static BigDecimal phi(Terms agreed, long deadline) {
        return BigDecimal.valueOf(deadline - agreed.window().deadline())
                .divide(BigDecimal.valueOf(agreed.runTime()), DECIMALS, RoundingMode.HALF_UP);
    }
}
