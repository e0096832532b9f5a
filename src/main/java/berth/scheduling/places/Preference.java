package berth.scheduling.places;

import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import berth.sla.Money;
import berth.time.Slot;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What a client prefers among slots of several clusters: the user preferences by which paper 001's reservation service orders the slots
 * that its probes found (section 3).
 *
 * <p>The paper does not say how. Here every measure of a slot becomes a cost between 0, the lowest among the compared slots, and 1, the
 * highest. The score of a slot is the weighted sum of its costs, and the lowest score comes first. A measure that is equal for all slots
 * counts 0. Among equal scores the earlier start comes first, then the cluster's id, so the order never depends on which cluster answered
 * first. Prices are compared by amount, whatever the currency; a client that cares sets a budget, which only clusters of its currency
 * accept.
 *
 * @param weights the weights of the measures, each at least 0, with a sum of 1
 */
public record Preference(Map<Measure, Double> weights) {

    /** Prefers the earliest start. */
    public static final Preference EARLIEST_START = of(Measure.START);

    /** Prefers the earliest end. */
    public static final Preference EARLIEST_COMPLETION = of(Measure.COMPLETION);

    /** Prefers the lowest price. */
    public static final Preference LOWEST_PRICE = of(Measure.PRICE);

    /** Prefers the highest availability. */
    public static final Preference BEST_AVAILABILITY = of(Measure.AVAILABILITY);

    private static final double TOLERANCE = 1e-9;

    /** A measure of a slot. */
    public enum Measure {
        /** An early start. */
        START,
        /** An early end. */
        COMPLETION,
        /** A low price. */
        PRICE,
        /** A high availability, which means little harm to the cluster's batch jobs. */
        AVAILABILITY;

        /** Returns the name of its weight in JSON. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private double cost(Choice choice) {
            return switch (this) {
                case START -> choice.slot.start();
                case COMPLETION -> choice.slot.end();
                case PRICE -> choice.price.amount().doubleValue();
                case AVAILABILITY -> -choice.availability;
            };
        }
    }

    /**
     * A slot with the measures that a client sees.
     *
     * @param cluster the id of the cluster
     * @param price the price of a reservation there
     * @param availability the availability, in [0, 1]
     */
    public record Choice(ClusterId cluster, Slot slot, Money price, double availability) {

        private static final Comparator<Choice> EARLIEST =
                Comparator.<Choice>comparingLong(choice -> choice.slot.start()).thenComparing(Choice::cluster);

        /** Returns the measures of an offer. */
        public static Choice of(ClusterId cluster, Probe.Offer offer) {
            return new Choice(cluster, offer.slot(), offer.price(), offer.availability());
        }
    }

    /** @throws InvalidFigure if a weight is below 0, or the sum is not 1 */
    public Preference {
        for (double weight : weights.values()) {
            if (!(weight >= 0)) {
                throw new InvalidFigure("orderBy", weight, "must have weights of at least 0");
            }
        }
        double sum = weights.values().stream().mapToDouble(weight -> weight).sum();
        if (!(Math.abs(sum - 1) <= TOLERANCE)) {
            throw new InvalidFigure("orderBy", weights, "must have weights that add up to 1");
        }
        var counting = new EnumMap<Measure, Double>(Measure.class);
        counting.putAll(weights);
        counting.values().removeIf(weight -> weight == 0);
        // in the order of the measures, because sums of doubles depend on the order
        weights = Collections.unmodifiableMap(counting);
    }

    private static Preference of(Measure measure) {
        return new Preference(Map.of(measure, 1.0));
    }

    /** Whether a measure counts. */
    boolean counts(Measure measure) {
        return weights.containsKey(measure);
    }

    /**
     * Orders slots, best first. O(n log n).
     *
     * @param seen returns the measures of a slot
     */
    public <T> List<T> order(Collection<T> slots, Function<? super T, Choice> seen) {
        var found = List.copyOf(slots);
        var choices = found.stream().<Choice>map(seen).toList();
        var scores = scores(choices);
        return IntStream.range(0, found.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> scores[i])
                        .thenComparing(choices::get, Choice.EARLIEST))
                .map(found::get)
                .toList();
    }

    /** Returns the weighted sums of the costs. */
    private double[] scores(List<Choice> choices) {
        var scores = new double[choices.size()];
        weights.forEach((measure, weight) -> {
            var costs = choices.stream().mapToDouble(measure::cost).summaryStatistics();
            double range = costs.getMax() - costs.getMin();
            for (int i = 0; range > 0 && i < scores.length; i++) {
                scores[i] += weight * ((measure.cost(choices.get(i)) - costs.getMin()) / range);
            }
        });
        return scores;
    }
}
