package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
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
 * A question without effect: whose looser deadline would admit a request that does not fit? Paper 000 (section 2.1) lets the
 * provider ask its clients for more flexibility to solve an impasse; how it finds whom to ask is ours. Each reservation
 * that may be moved and lies in the window of the request is taken away, the request placed, and the reservation placed
 * behind it; its end is the deadline that it would need.
 *
 * @param terms what does not fit
 * @param serviceClass of whoever asks for it
 * @param limit the most candidates to name, at least 1
 */
public record RoomSearch(RequestedTerms terms, ServiceClass serviceClass, int limit) {

    /** The places that may be searched for. */
    private static final int MAX_SEARCHES = 4_000;

    private static final int DECIMALS = 6;

    /**
     * Somebody to ask.
     *
     * @param reservation which
     * @param deadline that would admit the request, seconds since the epoch
     * @param phi by how much that is later than the agreed one, in run times: φ of paper 000
     */
    public record Candidate(ReservationId reservation, long deadline, BigDecimal phi) {}

    /** Whom to ask, if anybody. */
    public sealed interface Answer {
        /** Those whose agreement alone would do, by φ; {@code truncated} if there may be more. */
        record Candidates(List<Candidate> candidates, boolean truncated) implements Answer {}

        /** Nobody needs to be asked: the request would be admitted. */
        record Fits() implements Answer {}

        /** Nobody's agreement would help: the request breaks the cluster's rules. */
        record Refused(Rejection reason) implements Answer {}
    }

    /** Finds them. O(n) for n live reservations, beside the placements. */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut(var reason) -> new Answer.Refused(reason);
            case Opening.Open(var search) -> {
                var trials = new Trials(serviceClass, now, MAX_SEARCHES);
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

    /** Where the reservation would end, were the request placed first. */
    private Optional<Long> behind(ClusterSchedule rest, Reservation reservation, long now) {
        var cluster = rest.cluster();
        if (!(PlaceSearch.open(rest, terms, serviceClass, now) instanceof Opening.Open(var search)
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

    /** The schedule in which the reservation, which stays where it is, has agreed to that deadline. */
    private static Optional<ClusterSchedule> loosened(
            ClusterSchedule rest, Reservation reservation, long deadline, long now) {
        var agreed = reservation.terms();
        var wanted = RequestedTerms.of(agreed).within(new Window(agreed.window().readyTime(), deadline));
        var cluster = rest.cluster();
        return wanted.resolve(now, cluster.policy().horizon(), AdmissionRule.bounds(cluster), agreed)
                        instanceof RequestedTerms.Resolution.Resolved(var looser)
                ? Optional.of(rest.adding(
                        reservation.renegotiated(looser, reservation.placement(), reservation.price(), now)))
                : Optional.empty();
    }

    private static BigDecimal phi(Terms agreed, long deadline) {
        return BigDecimal.valueOf(deadline - agreed.window().deadline())
                .divide(BigDecimal.valueOf(agreed.runTime()), DECIMALS, RoundingMode.HALF_UP);
    }
}
