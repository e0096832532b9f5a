package berth.scheduling.places;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.availability.Step;
import berth.cluster.Cluster;
import berth.outcome.Outcome;
import berth.scheduling.AllowedStarts;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.FreePes;
import berth.scheduling.Place;
import berth.scheduling.Rejection;
import berth.scheduling.TermsRule;
import berth.sla.Customer;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Determines whether and where terms fit into a schedule: what a probe returns and what a reservation gets.
 *
 * <p>The cluster's policy chooses the place (paper 004, section 5.1; its first fit is that of paper 000, section 3.2): a start in {@code
 * [ready time, deadline - run time]} with enough free PEs for the whole run. Berth adds four rules. The client can choose the start. The
 * lead time must pass before the start. The PEs outside the reservable share stay free. A place that costs more than the budget does not
 * count. A later start of a shape never costs more, because each discount grows with the wait, and so does the share of the wait in which
 * the run can move. The affordable starts are therefore those from a certain start on, which bisection finds, and the policy chooses among
 * them. This holds only for runs that are placed now; a change of terms decides for others. A run that can be split is searched for where it
 * would be affordable in one part; in several parts it may cost less but never more. If prices depend on the time, by the load or a signal, a
 * later start may cost more, and the search tries a number of starts.
 */
public final class PlaceSearch {

    /** The most changes of the load at which the search tries a start, and of the signal. */
    private static final int MAX_EVENTS = 64;

    /** The most prices to compute where the signal changes. */
    private static final int MAX_PRICES = 4_000;

    /** The most places to search for in gaps; a run with several shapes and steps counts several times. */
    private static final int MAX_SEARCHES = 5_000;

    private final Cluster cluster;

    /** The free PEs to search. */
    private final FreePes free;

    private final Terms terms;
    private final Function<Place, Money> price;

    private final AllowedStarts starts;
    private final long now;

    private PlaceSearch(
            Cluster cluster, FreePes free, Terms terms, Function<Place, Money> price, AllowedStarts starts, long now) {
        this.cluster = cluster;
        this.free = free;
        this.terms = terms;
        this.price = price;
        this.starts = starts;
        this.now = now;
    }

    /** Opens a search for a request, unless the request can never be granted. */
    public static Outcome<PlaceSearch, Rejection> open(
            ClusterSchedule schedule, RequestedTerms asked, Customer customer, long now) {
        return open(schedule, asked, customer, 0, now);
    }

    /** Opens a search for a place that is first held for {@code hold} seconds, during which the provider does not move it. */
    public static Outcome<PlaceSearch, Rejection> open(
            ClusterSchedule schedule, RequestedTerms asked, Customer customer, long hold, long now) {
        var cluster = schedule.cluster();
        return switch (asked.resolve(now, TermsRule.bounds(cluster))) {
            case Outcome.NotDone(var violations) -> new Outcome.NotDone<>(new Rejection.InvalidTerms(violations));
            case Outcome.Done(var terms) -> {
                var refused = TermsRule.refused(cluster, terms, now);
                long notice = cluster.policy().notice();
                var rules = cluster.policy().replanning().moves();
                var prices = schedule.prices(customer);
                Function<Place, Money> price = place -> {
                    long held = Math.min(now + hold, place.start());
                    var there = terms.lyingAt(place.parts());
                    var mobility = there.finality().mobility(now, held, place.start(), notice);
                    return prices.of(there, place.parts(), rules.usable(mobility, there.mobility(), 0));
                };
                yield refused.isPresent()
                        ? new Outcome.NotDone<>(refused.get())
                        : new Outcome.Done<>(
                                of(schedule, terms, price, AllowedStarts.ofNewcomer(schedule, terms, now), now));
            }
        };
    }

    /**
     * Returns a search for an existing reservation whose terms the rules allow. {@code price} returns the price of a place; unless it
     * depends on the time, it must not rise for a later start of the same shape.
     */
    public static PlaceSearch of(ClusterSchedule schedule, Terms terms, Function<Place, Money> price, long now) {
        return of(schedule, terms, price, AllowedStarts.ofAgreed(schedule, terms, now), now);
    }

    private static PlaceSearch of(
            ClusterSchedule schedule, Terms terms, Function<Place, Money> price, AllowedStarts starts, long now) {
        return new PlaceSearch(schedule.cluster(), schedule.free(), terms, price, starts, now);
    }

    /**
     * Returns the approximate number of looks of a search: one for each live reservation, shape and step. A search with one shape and step
     * counts as 0, because it is cheap for any number of reservations.
     */
    public static long looks(ClusterSchedule schedule, RequestedTerms asked, long now) {
        if (asked.moldability().isEmpty() && asked.preemption().isEmpty()) {
            return 0;
        }
        var cluster = schedule.cluster();
        return asked.resolve(now, TermsRule.bounds(cluster)) instanceof Outcome.Done(var terms)
                ? (long) terms.weight() * schedule.reservations().size()
                : 0;
    }

    /** Returns the same search among other free PEs. Prices stay those of the schedule. */
    public PlaceSearch among(FreePes others) {
        return new PlaceSearch(cluster, others, terms, price, starts, now);
    }

    public Terms terms() {
        return terms;
    }

    AllowedStarts starts() {
        return starts;
    }

    Money price(Place place) {
        return price.apply(place);
    }

    /** A place for the run, or the reason why there is none. */
    public sealed interface Search {
        record Found(Place place, Money price) implements Search {
            Slot slot() {
                return place.slot();
            }
        }

        record Nothing(Rejection reason) implements Search {}

        /** Returns the result of a search that found this place for that price, or no slot. */
        public static Search of(Optional<Place> place, Money price) {
            return place.<Search>map(found -> new Found(found, price))
                    .orElseGet(() -> new Nothing(new Rejection.NoSlot()));
        }
    }

    private String objection(long start) {
        if (start < now) {
            return "must not lie in the past";
        }
        if (start < terms.window().readyTime()) {
            return "must not lie before the ready time";
        }
        return start < starts.earliest()
                ? "must be at least %d s away, the cluster's lead time"
                        .formatted(cluster.policy().limits().leadTime())
                : "must leave the run time before the deadline";
    }

    /** Returns the place at exactly {@code start}. */
    public Search at(long start) {
        if (start < now || start < starts.earliest() || start > terms.latestStart()) {
            return new Search.Nothing(Rejection.InvalidTerms.of("start", objection(start)));
        }
        if (starts.isTooFarAhead(start)) {
            return new Search.Nothing(starts.onlyNow().orElseThrow());
        }
        return start < starts.busyUntil() ? tooBusy() : within(placeAt(start));
    }

    /** Returns the reason why there is no place, after a search found none. */
    Rejection noPlace() {
        return starts.onlyNow().orElseGet(Rejection.NoSlot::new);
    }

    /** Returns a place with these parts if they are free, within the budget, and start at {@code after} or later. */
    public Search keep(List<Part> wanted, long after) {
        long start = wanted.getFirst().slot().start();
        if (!terms.allow(wanted)
                || start < Math.max(starts.earliest(), after)
                || start < starts.busyUntil()
                || starts.isTooFarAhead(start)) {
            return new Search.Nothing(noPlace());
        }
        var parts = new ArrayList<Part>();
        for (var part : wanted) {
            var found = free.at(part.slot(), part.pes(), reservable());
            if (found.isEmpty()) {
                return new Search.Nothing(noPlace());
            }
            parts.add(found.get().of(part.steps()));
        }
        return within(Optional.of(new Place(parts)));
    }

    /** Returns the place at exactly {@code start}, whatever it costs. */
    Optional<Place> placeAt(long start) {
        return starts.isTooFarAhead(start) ? Optional.empty() : shapes(policy()).at(terms, start);
    }

    /** Returns the earliest place that starts at {@code from} or later, whatever it costs. */
    Optional<Place> first(long from) {
        return from > terms.latestStart() || starts.isTooFarAhead(from)
                ? Optional.empty()
                : shapes(PlacementPolicy.FIRST_FIT)
                        .anew(terms, window(from))
                        .filter(place -> !starts.isTooFarAhead(place.start()));
    }

    private Search tooBusy() {
        return new Search.Nothing(
                new Rejection.TooBusy(0, cluster.policy().availability().minAvailability()));
    }

    /**
     * Returns the present place of a run if these terms allow it. Otherwise, if the run has one part, returns a place from the same start
     * in the same shape. The run can keep its present PEs regardless of the lead time and the reservable share; additional PEs must be free
     * and respect the lead time.
     *
     * @param parts the parts of the reservation, which the schedule must not contain; of a run, on the PEs that it keeps
     */
    public Search from(List<Part> parts) {
        return within(terms.allow(parts) ? Optional.of(new Place(parts)) : prolonged(parts));
    }

    private Optional<Place> prolonged(List<Part> parts) {
        var had = parts.getFirst();
        var shape = terms.shape(had.pes()).orElse(terms.shapes().getFirst());
        long start = had.slot().start();
        boolean isInTime = shape.pes() <= had.pes() || start >= starts.earliest();
        boolean mayLieThere = terms.window().readyTime() <= start
                && shape.runTime() <= terms.window().deadline() - start
                && parts.size() == 1;
        return isInTime && mayLieThere
                ? free.kept(had, Slot.of(start, shape.runTime()), shape.pes(), reservable())
                        .map(part -> Place.of(part.of(terms.steps())))
                : Optional.empty();
    }

    /** Returns the place if it exists and is within the budget. */
    private Search within(Optional<Place> place) {
        return place.<Search>map(there -> isAffordable(there)
                        ? new Search.Found(there, price(there))
                        : new Search.Nothing(new Rejection.OverBudget(
                                price(there), terms.budget().orElseThrow())))
                .orElseGet(() -> new Search.Nothing(new Rejection.NoSlot()));
    }

    /** Returns the affordable place that the policy chooses. */
    public Search choose() {
        return choose(starts.earliest());
    }

    /** Returns the affordable place at {@code after} or later that the policy chooses. */
    public Search choose(long after) {
        long from = Math.max(Math.max(starts.earliest(), starts.busyUntil()), after);
        if (from > terms.latestStart()) {
            return starts.busyUntil() > terms.latestStart() ? tooBusy() : new Search.Nothing(new Rejection.NoSlot());
        }
        if (starts.onlyNow().isPresent()) {
            return from > now || placeAt(now).isEmpty()
                    ? new Search.Nothing(starts.onlyNow().get())
                    : within(placeAt(now));
        }
        if (terms.budget().isEmpty()) {
            return within(anew(from));
        }
        return within(affordable(from).or(() -> first(from)));
    }

    /**
     * Returns the place that the policy chooses at {@code from} or later, whatever it costs. A run that stays gets the first place; the
     * policy chooses only its PEs.
     */
    private Optional<Place> anew(long from) {
        if (!terms.stay()) {
            return shapes(policy()).anew(terms, window(from));
        }
        boolean isRigid = terms.shapes().size() == 1 && !terms.isPreemptible();
        return first(from).flatMap(place -> isRigid ? placeAt(place.start()) : Optional.of(place));
    }

    /** Returns the affordable place that ends first. */
    private Optional<Place> affordable(long from) {
        if (cluster.tariff().dependsOnTime()) {
            return affordableAtAnEvent(from);
        }
        var inOneShape = terms.shapes().stream().flatMap(shape -> affordableIn(shape, from).stream());
        return Stream.concat(inSeveralShapes(from).filter(this::isAffordable).stream(), inOneShape)
                .min(ShapeSearch.EARLIEST_COMPLETION);
    }

    /**
     * Searches for parts in several shapes. Such a run takes a varying number of PE-seconds, so its price is known only once it has a
     * place.
     */
    private Optional<Place> inSeveralShapes(long from) {
        boolean mayBe = terms.shapes().size() > 1
                && terms.preemption().filter(Preemption::moldableParts).isPresent();
        return mayBe ? anew(from) : Optional.empty();
    }

    /** Returns the affordable place of a shape that the policy chooses. */
    private Optional<Place> affordableIn(Shape shape, long from) {
        long latest = terms.window().latestStart(shape.runTime());
        if (latest < from || !isAffordable(anywhere(shape, latest))) {
            return Optional.empty();
        }
        long first = isAffordable(anywhere(shape, from)) ? from : firstAffordable(shape, from, latest);
        return shapes(terms.stay() ? PlacementPolicy.FIRST_FIT : policy()).in(terms, shape, window(first));
    }

    /**
     * Searches where a later start may cost more. Returns the first affordable of the places found from the ready time, from one of the
     * next seconds at which the load changes, from one at which the signal changes when an affordable run begins or ends, and at the latest
     * start. It may miss an affordable start in between or later.
     */
    private Optional<Place> affordableAtAnEvent(long from) {
        long latest = terms.latestStart();
        var starts = new Slot(from, latest + 1);
        var events = free.profile().steps(starts).stream().mapToLong(Step::start);
        var hours = signalChanges(starts).mapToLong(Place::start).distinct();
        return LongStream.concat(
                        LongStream.concat(events.limit(MAX_EVENTS), hours.limit(MAX_EVENTS)), LongStream.of(latest))
                .sorted()
                .distinct()
                .mapToObj(this::anew)
                .flatMap(Optional::stream)
                .filter(this::isAffordable)
                .findFirst();
    }

    /** Returns the affordable runs that begin or end when the signal changes, by start, whether there is room or not. */
    private Stream<Place> signalChanges(Slot starts) {
        var signal = cluster.tariff().signal();
        int most = MAX_PRICES / terms.shapes().size();
        return terms.shapes().stream()
                .flatMap(shape -> signal.stretches(starts, shape.runTime(), most).stream()
                        .map(stretch -> anywhere(shape, stretch.starts().start())))
                .sorted(Comparator.comparingLong(Place::start))
                .filter(this::isAffordable);
    }

    /** Returns the shape at a start, whether there is room or not. */
    static Place anywhere(Shape shape, long start) {
        return Place.of(Part.whole(Slot.of(start, shape.runTime()), shape.pes()));
    }

    /** Returns the first second at which the rules allow the run to start. */
    public long firstStart() {
        return Math.max(starts.earliest(), starts.busyUntil());
    }

    /**
     * Returns the unbroken ranges of starts at which a shape has room, in order; each ends with the first start that has none.
     *
     * @param limit the most ranges to return
     */
    List<Slot> ranges(Shape shape, int limit) {
        long from = firstStart();
        long latest = terms.window().latestStart(shape.runTime());
        if (from > latest) {
            return List.of();
        }
        long[] firsts =
                free.fitStarts(new Demand(window(from), shape.runTime(), shape.pes(), now), reservable(), limit);
        var ranges = new ArrayList<Slot>();
        for (int i = 0; i < firsts.length; i++) {
            long fits = firsts[i];
            long missing = i + 1 < firsts.length ? firsts[i + 1] : latest + 1;
            while (missing - fits > 1) {
                long middle = fits + (missing - fits) / 2;
                if (free.at(Slot.of(middle, shape.runTime()), shape.pes(), reservable())
                        .isPresent()) {
                    fits = middle;
                } else {
                    missing = middle;
                }
            }
            ranges.add(new Slot(firsts[i], missing));
        }
        return ranges;
    }

    /**
     * Returns the earliest place in every gap that can hold the run in one of its shapes or, for a run that can be split, its first step
     * and what follows. The places are ordered by start and ignore the budget. A reservation that chooses such a start gets that place.
     *
     * @param limit the most places to return, and to examine for each shape
     */
    Gaps gaps(int limit) {
        var begins = new TreeSet<Long>();
        for (var shape : terms.shapes()) {
            long runTime = terms.isPreemptible() ? shape.cut(1, terms.steps()) : shape.runTime();
            var demand = new Demand(window(starts.earliest()), runTime, shape.pes(), now);
            Arrays.stream(free.fitStarts(demand, reservable(), limit)).forEach(begins::add);
        }
        int most = MAX_SEARCHES / terms.weight();
        var places = begins.stream()
                .limit(most)
                .map(this::placeAt)
                .flatMap(Optional::stream)
                .limit(limit)
                .toList();
        return new Gaps(places, begins.size() > most);
    }

    /** The places in gaps; {@code truncated} is true if there may be more that would take too long to find. */
    record Gaps(List<Place> places, boolean truncated) {}

    private Window window(long from) {
        return new Window(from, terms.window().deadline());
    }

    boolean isAffordable(Place place) {
        return terms.budget().isEmpty() || !price(place).exceeds(terms.budget().get());
    }

    /** Returns how many PEs reservations may take at one time. */
    private int reservable() {
        return cluster.reservablePes();
    }

    /** Returns the earliest affordable start after {@code tooEarly}, which is not affordable; {@code latest} is. */
    private long firstAffordable(Shape shape, long tooEarly, long latest) {
        long below = tooEarly;
        long at = latest;
        while (at - below > 1) {
            long middle = below + (at - below) / 2;
            if (isAffordable(anywhere(shape, middle))) {
                at = middle;
            } else {
                below = middle;
            }
        }
        return at;
    }

    private PlacementPolicy policy() {
        return cluster.policy().placement();
    }

    private ShapeSearch shapes(PlacementPolicy policy) {
        return new ShapeSearch(free, policy, reservable(), now);
    }
}
