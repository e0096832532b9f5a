package berth.scheduling.places;

import berth.batch.Impact;
import berth.outcome.Outcome;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.scheduling.places.PlaceSearch.Gaps;
import berth.scheduling.places.Preference.Choice;
import berth.scheduling.places.Preference.Measure;
import berth.scheduling.places.RatedPlaces.Rated;
import berth.sla.Customer;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A read-only question: where would these terms fit? The answer holds for the schedule that was asked and promises nothing.
 *
 * @param terms the requested terms
 * @param customer the account that asks
 * @param preference the measures by which the client prefers slots; the best slots by each of them are included
 * @param hold how long the slot would be held first, in seconds; a held slot cannot move, so it earns less discount
 * @param limit the most slots to return, at least 1
 */
public record Probe(RequestedTerms terms, Customer customer, Preference preference, long hold, int limit) {

    /**
     * Stands for the id of the reservation, which does not exist yet. With a shuffled queue, the actual reservation will draw differently.
     */
    private static final ReservationId ANYBODY = new ReservationId(new UUID(0, 0));

    /** Asks for slots that are confirmed at once. */
    public Probe(RequestedTerms terms, Customer customer, Preference preference, int limit) {
        this(terms, customer, preference, 0, limit);
    }

    /**
     * A slot that would fit.
     *
     * @param price the price if the run can move as its terms state
     * @param fixedPrice the price if its place is final at once
     * @param chosen whether a reservation without a chosen start would get this slot
     * @param availability how well the cluster's batch jobs can do without it, in (0, 1]; 1 without jobs
     * @param impact the effect on the jobs; empty without jobs, with availability by load, and if a different number of jobs would end
     * @param moves the moves of other reservations that would make room for it
     * @param effects its cost for others
     */
    public record Offer(
            List<Part> parts,
            Money price,
            Money fixedPrice,
            boolean withinBudget,
            boolean chosen,
            double availability,
            Optional<Impact> impact,
            List<ReservationEvent> moves,
            Effects effects) {

        /** Returns the slot from the start of the first part to the end of the last. */
        public Slot slot() {
            return new Slot(
                    parts.getFirst().slot().start(), parts.getLast().slot().end());
        }
    }

    /** Slots that would fit, by start; {@code truncated} is true if there are more. */
    public record Offers(List<Offer> offers, boolean truncated) {}

    /**
     * Returns the place that a reservation would get, possibly after others have moved; the earliest places in gaps that can hold the run;
     * and places that are spread over the window (paper 001, section 4), as many and as far apart as the cluster's rules for availability
     * allow. The earliest start, the earliest end and the {@linkplain LowestPrice lowest price} of all places that are free are included if
     * the client prefers them. O(points of the profile in the window) for each shape, plus the search at each start and {@link
     * ReplanAttempt}.
     *
     * <p>If the cluster has batch jobs, returns the {@linkplain RatedPlaces rated places} that are available enough; if there are more than
     * {@link #limit}, the most available ones, earliest first among equals.
     */
    public Outcome<Offers, Rejection> ask(ClusterSchedule schedule, long now) {
        return switch (PlaceSearch.open(schedule, terms, customer, hold, now)) {
            case Outcome.NotDone(var reason) -> new Outcome.NotDone<>(reason);
            case Outcome.Done(var search) ->
                schedule.jobs().isEmpty()
                        ? offers(schedule, search, chosen(schedule, search, now))
                        : offersBesideJobs(schedule, search, chosen(schedule, search, now), now);
        };
    }

    /** Returns the approximate number of looks at live reservations. */
    public long looks(ClusterSchedule schedule, long now) {
        // the lowest price may lie at either end of any gap
        long ofPrices =
                preference.counts(Measure.PRICE) ? 2L * schedule.reservations().size() : 0;
        return PlaceSearch.looks(schedule, terms, now) + ofPrices;
    }

    /** Returns the place that a reservation would get. */
    private Optional<JugglingResult.Found> chosen(ClusterSchedule schedule, PlaceSearch search, long now) {
        var newcomer = new Newcomer(
                ANYBODY,
                customer.serviceClass(),
                search.terms(),
                now,
                free -> search.among(free).choose());
        return JugglingResult.of(schedule, newcomer, now) instanceof JugglingResult.Found found
                ? Optional.of(found)
                : Optional.empty();
    }

    private Outcome<Offers, Rejection> offersBesideJobs(
            ClusterSchedule schedule, PlaceSearch search, Optional<JugglingResult.Found> juggled, long now) {
        var rules = schedule.cluster().policy().availability();
        var anyway = RatedPlaces.of(schedule, search, now);
        var rated = juggled.map(found -> anyway.and(found.place(), found.moves()))
                .orElse(anyway)
                .rated();
        if (rated.isEmpty()) {
            return new Outcome.NotDone<>(search.noPlace());
        }
        var enough = Stream.concat(rated.stream(), cheapest(schedule, search, rated, now))
                .filter(one -> one.isEnough(rules))
                .toList();
        if (enough.isEmpty()) {
            return new Outcome.NotDone<>(new Rejection.TooBusy(RatedPlaces.best(rated), rules.minAvailability()));
        }
        var chosen = juggled.flatMap(
                found -> RatedPlaces.granted(schedule, search.terms(), rated, found.place(), search::isAffordable));
        var shown = preference.counts(Measure.PRICE) ? enough : mostAvailable(enough, chosen);
        var offers = shown.stream()
                .map(one ->
                        offer(schedule, search, one, chosen.filter(one::equals).isPresent()))
                .toList();
        var kept = preferred(schedule, offers);
        return new Outcome.Done<>(new Offers(kept, kept.size() < enough.size()));
    }

    /** Returns the place with the lowest price, if that counts, and its availability among the others. */
    private Stream<Rated> cheapest(ClusterSchedule schedule, PlaceSearch search, List<Rated> others, long now) {
        if (!preference.counts(Measure.PRICE)) {
            return Stream.empty();
        }
        return LowestPrice.of(search, schedule.prices(customer)).stream()
                .filter(place -> others.stream().noneMatch(one -> one.place().start() == place.start()))
                .flatMap(place -> RatedPlaces.of(schedule, search, now).and(place, List.of()).rated().stream()
                        .filter(one -> one.place().start() == place.start()));
    }

    private Outcome<Offers, Rejection> offers(
            ClusterSchedule schedule, PlaceSearch search, Optional<JugglingResult.Found> juggled) {
        var places = new TreeMap<Long, Place>();
        var gaps = search.gaps(limit + 1);
        best(schedule, search, gaps).forEach(place -> places.put(place.start(), place));
        // always included, because a budget, the policy or moves may put it elsewhere than at the beginning of a gap
        var chosen = juggled.map(JugglingResult.Found::place);
        chosen.ifPresent(place -> places.put(place.start(), place));
        var others = gaps.places().stream()
                .filter(gap -> !places.containsKey(gap.start()))
                .toList();
        // half of what is left is for the earliest gaps, so that many short ones do not hide the rest of the window
        int half = Math.min(others.size(), (Math.max(0, limit - places.size()) + 1) / 2);
        addUpToLimit(others.subList(0, half), places);
        addUpToLimit(spread(schedule, search, limit - places.size()), places);
        addUpToLimit(others.subList(half, others.size()), places);
        if (places.isEmpty()) {
            return new Outcome.NotDone<>(search.noPlace());
        }
        var offers = places.values().stream()
                .map(place -> {
                    boolean isChosen = chosen.filter(place::equals).isPresent();
                    var moves = isChosen ? juggled.orElseThrow().moves() : List.<ReservationEvent>of();
                    return offer(schedule, search, Rated.withoutJobs(schedule, place, moves), isChosen);
                })
                .toList();
        boolean truncated = gaps.truncated()
                || offers.size() > limit
                || gaps.places().stream().anyMatch(gap -> !places.containsKey(gap.start()));
        return new Outcome.Done<>(new Offers(preferred(schedule, offers), truncated));
    }

    private void addUpToLimit(List<Place> some, SortedMap<Long, Place> places) {
        for (var place : some) {
            if (places.size() < limit) {
                places.putIfAbsent(place.start(), place);
            }
        }
    }

    /** Returns the places that are best by a measure that counts. */
    private Stream<Place> best(ClusterSchedule schedule, PlaceSearch search, Gaps gaps) {
        // without jobs every place is equally available, so the earliest is the best
        boolean isEarliest = preference.counts(Measure.START) || preference.counts(Measure.AVAILABILITY);
        var startsFirst = isEarliest ? gaps.places().stream().limit(1) : Stream.<Place>empty();
        var endsFirst = preference.counts(Measure.COMPLETION)
                ? search.first(search.firstStart()).stream()
                : Stream.<Place>empty();
        var cheapest = preference.counts(Measure.PRICE)
                ? LowestPrice.of(search, schedule.prices(customer)).stream()
                : Stream.<Place>empty();
        return Stream.of(startsFirst, endsFirst, cheapest).flatMap(places -> places);
    }

    /** Returns places that are spread evenly over the window, at least the cluster's gap apart. */
    private static List<Place> spread(ClusterSchedule schedule, PlaceSearch search, int most) {
        long first = search.firstStart();
        long latest = search.terms().latestStart();
        if (most < 1 || first > latest) {
            return List.of();
        }
        var rules = schedule.cluster().policy().availability();
        return RatedPlaces.starts(first, latest, Math.min(most, rules.maxSlots()), rules.minSlotGap())
                .mapToObj(search::placeAt)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns up to {@link #limit} offers by start: the best affordable one, the chosen one, and the next best ones. */
    private List<Offer> preferred(ClusterSchedule schedule, List<Offer> offers) {
        if (offers.size() <= limit) {
            return offers;
        }
        var ordered = new ArrayList<>(
                preference.order(offers, offer -> Choice.of(schedule.cluster().id(), offer)));
        ordered.sort(Comparator.comparing(offer -> !offer.withinBudget()));
        var best = ordered.removeFirst();
        ordered.sort(Comparator.comparing(offer -> !offer.chosen()));
        return Stream.concat(Stream.of(best), ordered.stream())
                .limit(limit)
                .sorted(Comparator.comparingLong(offer -> offer.slot().start()))
                .toList();
    }

    private Offer offer(ClusterSchedule schedule, PlaceSearch search, Rated rated, boolean isChosen) {
        var place = rated.place();
        return new Offer(
                place.parts(),
                search.price(place),
                schedule.prices(customer).of(search.terms(), place.parts(), Mobility.NONE),
                search.isAffordable(place),
                isChosen,
                rated.availability(),
                rated.impact(),
                rated.moves(),
                rated.effects());
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
