package berth.scheduling.places;

import berth.scheduling.Place;
import berth.scheduling.Prices;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Shape;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Finds the lowest price among all starts of a request, and the earliest start with that price. No reservation moves for it.
 *
 * <p>The starts fall into stretches. Within a stretch, the run has room throughout or nowhere and gets the same shape. If prices depend on
 * the load, the share that others have booked changes at a constant rate, because no booking begins or ends at either end of the run; so
 * does the mean factor of a signal. Unless one of them rises, a later start of a stretch never costs more, so the last start has the lowest
 * price. If the share rises, the same holds for each part of the stretch in which it stays on one step of the tariff. If the mean factor
 * rises, a branch and bound finds the lowest price: without the factor, a later start never costs more.
 *
 * <p>For a run that can be split, the parts may change within a stretch. Only the first and the last start of each stretch count then, and
 * another one may cost less. The same holds beyond the first {@value #MAX_STRETCHES} stretches, and after {@value #MAX_PRICES} prices where
 * the factor rises.
 */
final class LowestPrice {

    /** The most stretches to examine; with several shapes and steps, a stretch counts several times. */
    private static final int MAX_STRETCHES = 5_000;

    /** The most prices to compute where the mean factor of a signal rises. */
    private static final int MAX_PRICES = 20_000;

    private final PlaceSearch search;
    private final Prices prices;
    private Optional<Priced> best = Optional.empty();
    private int pricesLeft = MAX_PRICES;

    private record Priced(long start, Money price) {}

    private LowestPrice(PlaceSearch search, Prices prices) {
        this.search = search;
        this.prices = prices;
    }

    /**
     * Returns the place with the lowest price; empty if there is no room.
     *
     * @param prices the prices by which {@code search} prices places
     */
    static Optional<Place> of(PlaceSearch search, Prices prices) {
        if (search.starts().onlyNow().isPresent()) {
            return search.placeAt(search.firstStart());
        }
        var lowest = new LowestPrice(search, prices);
        lowest.examine();
        return lowest.best.flatMap(found -> search.placeAt(found.start));
    }

    private void examine() {
        long last = search.terms().window().deadline();
        var beginnings = new TreeSet<Long>();
        for (var shape : search.terms().shapes()) {
            search.ranges(shape, MAX_STRETCHES).forEach(range -> {
                beginnings.add(range.start());
                beginnings.add(range.end());
            });
            if (prices.dependOnLoad()) {
                prices.changes(new Slot(search.firstStart(), last)).forEach(change -> {
                    beginnings.add(change);
                    beginnings.add(change - shape.runTime());
                });
            }
            prices.signal().changes(new Slot(search.firstStart(), last)).forEach(change -> {
                beginnings.add(change);
                beginnings.add(change - shape.runTime());
            });
        }
        int left = MAX_STRETCHES / search.terms().weight();
        for (var from = beginnings.ceiling(search.firstStart()); from != null && from < last && left > 0; left--) {
            var next = beginnings.higher(from);
            examine(from, next == null ? last : next);
            from = next;
        }
    }

    /** Examines the starts of a stretch. */
    private void examine(long from, long to) {
        var place = search.placeAt(from);
        if (place.isEmpty()) {
            return;
        }
        if (search.terms().isPreemptible()) {
            consider(from, search.price(place.get()));
            search.placeAt(to - 1).ifPresent(other -> consider(to - 1, search.price(other)));
            return;
        }
        var shape = new Shape(
                place.get().parts().getFirst().pes(), place.get().slot().duration());
        boolean signalRises = compareMeans(shape, from, to - 1) < 0;
        for (long at = from; at < to; ) {
            var factor = factor(shape, at);
            int change = factor.compareTo(factor(shape, to - 1));
            boolean isOne = signalRises ? change == 0 : change >= 0;
            long end = isOne ? to : first(at, to, start -> factor(shape, start).compareTo(factor) != 0);
            if (signalRises) {
                considerRising(shape, at, end);
            } else {
                considerFalling(shape, at, end);
            }
            at = end;
        }
    }

    private int compareMeans(Shape shape, long one, long other) {
        return prices.signal().compareMeans(parts(shape, one), parts(shape, other));
    }

    /** Considers starts with a rising mean factor of the signal, without which a later one never costs more. */
    private void considerRising(Shape shape, long from, long to) {
        consider(from, price(shape, from));
        consider(to - 1, price(shape, to - 1));
        split(shape, from, to - 1);
    }

    /** Considers all starts from {@code first} to {@code last}, except where none can have the lowest price. */
    private void split(Shape shape, long first, long last) {
        if (pricesLeft-- <= 0) {
            return;
        }
        var atLast = price(shape, last);
        if (first == last) {
            consider(last, atLast);
        } else if (mayBeLower(shape, first, last, atLast)) {
            long middle = first + (last - first) / 2;
            split(shape, first, middle);
            split(shape, middle + 1, last);
        }
    }

    /**
     * Whether a start from {@code first} to {@code last} may cost less than the best so far, or as much and be earlier. Each of them costs
     * more than the price of the last, less a minor unit for its rounding, with the factor of the first.
     */
    private boolean mayBeLower(Shape shape, long first, long last, Money atLast) {
        var known = best.orElseThrow();
        var minor = atLast.amount().ulp();
        var least = known.start <= first ? known.price.amount().subtract(minor) : known.price.amount();
        return prices.signal()
                        .compareScaled(atLast.amount().subtract(minor), parts(shape, first), least, parts(shape, last))
                < 0;
    }

    /** Considers starts of which a later one never costs more. */
    private void considerFalling(Shape shape, long from, long to) {
        var least = price(shape, to - 1);
        if (best.isEmpty() || best.get().price.exceeds(least)) {
            best = Optional.of(new Priced(
                    first(from, to, start -> !price(shape, start).exceeds(least)), least));
        }
    }

    private void consider(long start, Money price) {
        boolean isBest = best.isEmpty()
                || best.get().price.exceeds(price)
                || best.get().price.equals(price) && start < best.get().start;
        if (isBest) {
            best = Optional.of(new Priced(start, price));
        }
    }

    /** Returns the first start in {@code [from, to)} for which a condition holds that holds for the last, and for all after the first. */
    private static long first(long from, long to, LongPredicate holds) {
        long below = from - 1;
        long at = to - 1;
        while (at - below > 1) {
            long middle = below + (at - below) / 2;
            if (holds.test(middle)) {
                at = middle;
            } else {
                below = middle;
            }
        }
        return at;
    }

    private Money price(Shape shape, long start) {
        return search.price(PlaceSearch.anywhere(shape, start));
    }

    private BigDecimal factor(Shape shape, long start) {
        return prices.loadFactor(parts(shape, start));
    }

    private static List<Part> parts(Shape shape, long start) {
        return List.of(Part.whole(Slot.of(start, shape.runTime()), shape.pes()));
    }
}
