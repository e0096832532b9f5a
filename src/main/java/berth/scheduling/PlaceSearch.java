package berth.scheduling;

import berth.availability.Demand;
import berth.availability.PlacementPolicy;
import berth.availability.Step;
import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.RequestedTerms.Resolution;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Whether and where terms fit into a schedule: what a probe shows and a reservation gets.
 *
 * <p>The place is the one that the cluster's policy chooses (paper 004, section 5.1; its first fit is that of paper 000,
 * section 3.2): a start in {@code [ready time, deadline - run time]} with enough PEs free for the whole run. Added are:
 * the client may choose the start itself; the cluster's lead time must pass before it; the share that is not to be
 * reserved stays free; and places that cost more than the budget are none. Since a later start of a shape never costs more,
 * the affordable ones are those from some start on, the earliest of which is found by bisection: the policy chooses among these.
 * That a later start never costs more is so for runs that are placed now, since each discount grows with the wait, and so does
 * the share of it in which the run may be moved; see {@link Renegotiate} for runs that were placed before. A run that may be
 * split is looked for where it could be paid in one piece: in parts it may cost less, but never more. Where prices depend on the load a
 * later start may cost more, and a number of starts is tried.
 */
final class PlaceSearch {

    /** How many changes of the load are tried for an affordable start. */
    private static final int MAX_EVENTS = 64;

    /** The places that are searched for in gaps, a run of several shapes and steps counting as many. */
    private static final int MAX_SEARCHES = 5_000;

    private final Cluster cluster;

    /** Where the run is to find room. */
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

    /** A request that could be granted some day, or why it never can. */
    sealed interface Opening {
        record Open(PlaceSearch search) implements Opening {}

        record Shut(Rejection reason) implements Opening {}
    }

    static Opening open(ClusterSchedule schedule, RequestedTerms asked, ServiceClass serviceClass, long now) {
        return open(schedule, asked, serviceClass, 0, now);
    }

    /** The same, where the place is held first for so many seconds, in which nobody is moved. */
    static Opening open(
            ClusterSchedule schedule, RequestedTerms asked, ServiceClass serviceClass, long hold, long now) {
        var cluster = schedule.cluster();
        return switch (asked.resolve(now, cluster.policy().horizon(), AdmissionRule.bounds(cluster))) {
            case Resolution.Invalid(var violations) -> new Opening.Shut(new Rejection.InvalidTerms(violations));
            case Resolution.Resolved(var terms) -> {
                var refused = AdmissionRule.refused(cluster, terms, now);
                long notice = cluster.policy().notice();
                Function<Place, Money> price = place -> {
                    long held = Math.min(now + hold, place.start());
                    var mobility = terms.fixing().mobility(now, held, place.start(), notice);
                    return schedule.prices().of(terms, place.parts(), mobility, serviceClass);
                };
                yield refused.isPresent()
                        ? new Opening.Shut(refused.get())
                        : new Opening.Open(
                                of(schedule, terms, price, AllowedStarts.ofNewcomer(schedule, terms, now), now));
            }
        };
    }

    /**
     * A search for terms that the cluster's rules allow, for one that is there already; {@code price} answers what a place
     * costs, which but for the load is never more for a later start of the same shape.
     */
    static PlaceSearch of(ClusterSchedule schedule, Terms terms, Function<Place, Money> price, long now) {
        return of(schedule, terms, price, AllowedStarts.ofAgreed(schedule, terms, now), now);
    }

    private static PlaceSearch of(
            ClusterSchedule schedule, Terms terms, Function<Place, Money> price, AllowedStarts starts, long now) {
        return new PlaceSearch(schedule.cluster(), schedule.free(), terms, price, starts, now);
    }

    /**
     * About how many looks a search takes: one for each live reservation, shape and step, where those of one shape and step are
     * as none: they are cheap however many are live.
     */
    static long looks(ClusterSchedule schedule, RequestedTerms asked, long now) {
        if (asked.moldability().isEmpty() && asked.preemption().isEmpty()) {
            return 0;
        }
        var cluster = schedule.cluster();
        return asked.resolve(now, cluster.policy().horizon(), AdmissionRule.bounds(cluster))
                        instanceof Resolution.Resolved(var terms)
                ? (long) terms.weight() * schedule.reservations().size()
                : 0;
    }

    /** The same search where other PEs are free; prices are those of the schedule as it stands. */
    PlaceSearch among(FreePes others) {
        return new PlaceSearch(cluster, others, terms, price, starts, now);
    }

    Terms terms() {
        return terms;
    }

    AllowedStarts starts() {
        return starts;
    }

    Money price(Place place) {
        return price.apply(place);
    }

    /** A place for the run, or why there is none. */
    sealed interface Search {
        record Found(Place place, Money price) implements Search {
            Slot slot() {
                return place.slot();
            }
        }

        record Nothing(Rejection reason) implements Search {}
    }

    /** The place at exactly {@code start}. */
    Search at(long start) {
        if (start < starts.earliest() || start > terms.latestStart()) {
            return new Search.Nothing(Rejection.InvalidTerms.of(
                    "start",
                    "must lie between the ready time and the deadline less the run time, and after the lead time"));
        }
        if (starts.isTooFarAhead(start)) {
            return new Search.Nothing(starts.onlyNow().orElseThrow());
        }
        return start < starts.busyUntil() ? tooBusy() : within(placeAt(start));
    }

    /** Why there is no place, where none was found. */
    Rejection noPlace() {
        return starts.onlyNow().orElseGet(Rejection.NoSlot::new);
    }

    /** The place of these parts, if that is free, within the budget and does not start before {@code after}. */
    Search keep(List<Part> wanted, long after) {
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

    /** The place at exactly {@code start}, whatever it costs. */
    Optional<Place> placeAt(long start) {
        return starts.isTooFarAhead(start) ? Optional.empty() : shapes(policy()).at(terms, start);
    }

    /** The earliest place that does not start before {@code from}, whatever it costs. */
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
     * The place that a run has already, as it is if these terms allow it; else, if it is in one piece, from its start on, in
     * the shape that it has. What it has it may keep, whatever the lead time and even of the share that is not to be reserved;
     * what it needs beyond that must be free, and more PEs be asked for in time.
     *
     * @param held what the run takes so far, none of which the schedule contains
     */
    Search from(Reservation held) {
        var parts = held.parts();
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

    /** The place, if there is one and it is within the budget. */
    private Search within(Optional<Place> place) {
        return place.<Search>map(there -> isAffordable(there)
                        ? new Search.Found(there, price(there))
                        : new Search.Nothing(new Rejection.OverBudget(
                                price(there), terms.budget().orElseThrow())))
                .orElseGet(() -> new Search.Nothing(new Rejection.NoSlot()));
    }

    /** The place that the policy chooses of those within the budget. */
    Search choose() {
        return choose(starts.earliest());
    }

    /** The place that the policy chooses of those within the budget that do not start before {@code after}. */
    Search choose(long after) {
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
            return within(shapes(policy()).anew(terms, window(from)));
        }
        return within(
                affordable(from).or(() -> shapes(PlacementPolicy.FIRST_FIT).anew(terms, window(from))));
    }

    /** The place that ends first of those that are found within the budget. */
    private Optional<Place> affordable(long from) {
        if (cluster.tariff().dependsOnLoad()) {
            return affordableAtAnEvent(from);
        }
        var inOneShape = terms.shapes().stream().flatMap(shape -> affordableIn(shape, from).stream());
        return Stream.concat(inSeveralShapes(from).filter(this::isAffordable).stream(), inOneShape)
                .min(ShapeSearch.EARLIEST_COMPLETION);
    }

    /** A run in parts of several shapes takes more PEs or fewer: its price is known only once it is placed. */
    private Optional<Place> inSeveralShapes(long from) {
        boolean mayBe = terms.shapes().size() > 1
                && terms.preemption().filter(Preemption::moldableParts).isPresent();
        return mayBe ? shapes(policy()).anew(terms, window(from)) : Optional.empty();
    }

    /** The place of a shape that the policy chooses of those within the budget. */
    private Optional<Place> affordableIn(Shape shape, long from) {
        long latest = terms.window().latestStart(shape.runTime());
        if (latest < from || !isAffordable(anywhere(shape, latest))) {
            return Optional.empty();
        }
        long first = isAffordable(anywhere(shape, from)) ? from : firstAffordable(shape, from, latest);
        return shapes(policy()).in(terms, shape, window(first));
    }

    /**
     * Where a start that is later may cost more: the first affordable of the places that are found from the ready time on, from
     * one of the next seconds at which the load changes, and at the latest start. There may be one in between, or later, that is
     * not found.
     */
    private Optional<Place> affordableAtAnEvent(long from) {
        long latest = terms.latestStart();
        var events = free.profile().steps(new Slot(from, latest + 1)).stream().mapToLong(Step::start);
        return LongStream.concat(events.limit(MAX_EVENTS), LongStream.of(latest))
                .mapToObj(start -> shapes(policy()).anew(terms, window(start)))
                .flatMap(Optional::stream)
                .filter(this::isAffordable)
                .findFirst();
    }

    /** The shape at a start, whether there is room or not. */
    private static Place anywhere(Shape shape, long start) {
        return Place.of(Part.whole(Slot.of(start, shape.runTime()), shape.pes()));
    }

    /**
     * The earliest place of every gap that can hold the run in one of its shapes or, if it may be split, its first step and what
     * follows; ascending by their starts, whatever they cost. A reservation that chooses such a start gets that place.
     *
     * @param limit the most places to answer, and to look at in each shape
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

    /** Places in gaps; {@code truncated} if there may be more, and it would take too long to find out. */
    record Gaps(List<Place> places, boolean truncated) {}

    private Window window(long from) {
        return new Window(from, terms.window().deadline());
    }

    boolean isAffordable(Place place) {
        return terms.budget().isEmpty() || !price(place).exceeds(terms.budget().get());
    }

    /** The PEs that reservations may take at one time. */
    private int reservable() {
        return cluster.reservablePes();
    }

    /** The earliest affordable start after {@code tooEarly}, which is not; the latest start is. */
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
