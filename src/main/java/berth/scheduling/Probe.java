package berth.scheduling;

import berth.batch.Impact;
import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.RatedPlaces.Rated;
import berth.sla.Customer;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A read-only question: where would these terms fit? The answer holds for the schedule that was asked and promises nothing.
 *
 * @param terms the requested terms
 * @param customer the account that asks
 * @param limit the most slots to return, at least 1
 */
public record Probe(RequestedTerms terms, Customer customer, int limit) {

    /**
     * Stands for the id of the reservation, which does not exist yet. With a shuffled queue, the actual reservation will draw differently.
     */
    private static final ReservationId ANYBODY = new ReservationId(new UUID(0, 0));

    /**
     * A slot that would fit.
     *
     * @param price the price if the run can move as its terms state
     * @param fixedPrice the price if its place is final at once
     * @param chosen whether a reservation without a chosen start would get this slot
     * @param availability how well the cluster's batch jobs can do without it, in (0, 1]; 1 without jobs
     * @param impact the effect on the jobs; empty without jobs, with availability by load, and if a different number of jobs would end
     */
    public record Offer(
            List<Part> parts,
            Money price,
            Money fixedPrice,
            boolean withinBudget,
            boolean chosen,
            double availability,
            Optional<Impact> impact) {

        /** Returns the slot from the start of the first part to the end of the last. */
        public Slot slot() {
            return new Slot(
                    parts.getFirst().slot().start(), parts.getLast().slot().end());
        }

        /** Returns the most PEs at one time. */
        public int pes() {
            return parts.stream().mapToInt(Part::pes).max().orElseThrow();
        }
    }

    /** The result of a probe. */
    public sealed interface Answer {
        /** Slots that would fit, by start; {@code truncated} is true if there are more. */
        record Offers(List<Offer> offers, boolean truncated) implements Answer {}

        /** Nothing fits. */
        record Nothing(Rejection reason) implements Answer {}
    }

    /**
     * Returns the earliest place in each gap that can hold the run, and the place that a reservation would get, possibly after others have
     * moved. O(points of the profile in the window) for each shape, plus the search at each start and {@link ReplanAttempt}.
     *
     * <p>If the cluster has batch jobs, returns the {@linkplain RatedPlaces rated places} that are available enough; if there are more than
     * {@link #limit}, the most available ones, earliest first among equals.
     */
    public Answer ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, customer, now)) {
            case Opening.Shut(var reason) -> new Answer.Nothing(reason);
            case Opening.Open(var search) ->
                schedule.jobs().isEmpty()
                        ? offers(schedule, search, chosen(schedule, search, now))
                        : offersBesideJobs(schedule, search, chosen(schedule, search, now), now);
        };
    }

    /** Returns the approximate number of looks, as {@link Command#looks}. */
    public long looks(ClusterSchedule schedule, long now) {
        return PlaceSearch.looks(schedule, terms, now);
    }

    /** Returns the place that a reservation would get. */
    private static Optional<JugglingResult.Found> chosen(ClusterSchedule schedule, PlaceSearch search, long now) {
        var newcomer = new Newcomer(
                ANYBODY, search.terms(), now, free -> search.among(free).choose());
        return JugglingResult.of(schedule, newcomer, now) instanceof JugglingResult.Found found
                ? Optional.of(found)
                : Optional.empty();
    }

    private Answer offersBesideJobs(
            ClusterSchedule schedule, PlaceSearch search, Optional<JugglingResult.Found> juggled, long now) {
        var rules = schedule.cluster().policy().availability();
        var anyway = RatedPlaces.of(schedule, search, now);
        var rated = juggled.map(found -> anyway.and(found.place(), schedule.moving(found.moves())))
                .orElse(anyway)
                .rated();
        if (rated.isEmpty()) {
            return new Answer.Nothing(search.noPlace());
        }
        var enough = rated.stream().filter(one -> one.isEnough(rules)).toList();
        if (enough.isEmpty()) {
            return new Answer.Nothing(new Rejection.TooBusy(RatedPlaces.best(rated), rules.minAvailability()));
        }
        var chosen = juggled.flatMap(found -> RatedPlaces.granted(rated, found.place(), rules, search::isAffordable));
        var offers = mostAvailable(enough, chosen).stream()
                .map(one -> offer(
                        schedule,
                        search,
                        one.place(),
                        chosen.filter(one::equals).isPresent(),
                        one.availability(),
                        one.impact()))
                .toList();
        return new Answer.Offers(offers, offers.size() < enough.size());
    }

    private Answer offers(ClusterSchedule schedule, PlaceSearch search, Optional<JugglingResult.Found> juggled) {
        var places = new TreeMap<Long, Place>();
        // always included, because a budget, the policy or moves may put it elsewhere than at the beginning of a gap
        var chosen = juggled.map(JugglingResult.Found::place);
        chosen.ifPresent(place -> places.put(place.start(), place));
        var gaps = search.gaps(limit + 1);
        for (var gap = gaps.places().iterator(); gap.hasNext() && places.size() < limit; ) {
            var place = gap.next();
            places.putIfAbsent(place.start(), place);
        }
        if (places.isEmpty()) {
            return new Answer.Nothing(search.noPlace());
        }
        var offers = places.values().stream()
                .map(place -> offer(
                        schedule, search, place, chosen.filter(place::equals).isPresent(), 1, Optional.empty()))
                .toList();
        boolean truncated =
                gaps.truncated() || gaps.places().stream().anyMatch(gap -> !places.containsKey(gap.start()));
        return new Answer.Offers(offers, truncated);
    }

    private Offer offer(
            ClusterSchedule schedule,
            PlaceSearch search,
            Place place,
            boolean isChosen,
            double availability,
            Optional<Impact> impact) {
        return new Offer(
                place.parts(),
                search.price(place),
                schedule.prices(customer).of(search.terms(), place.parts(), Mobility.NONE),
                search.isAffordable(place),
                isChosen,
                availability,
                impact);
    }

    /** Returns up to {@link #limit} places by start: the chosen one and the most available ones. */
    private List<Rated> mostAvailable(List<Rated> enough, Optional<Rated> chosen) {
        var best = Comparator.<Rated, Boolean>comparing(
                        one -> chosen.filter(one::equals).isEmpty())
                .thenComparing(Comparator.comparingDouble(Rated::availability).reversed());
        return enough.stream()
                .sorted(best)
                .limit(limit)
                .sorted(Comparator.comparingLong(one -> one.place().start()))
                .toList();
    }
}
