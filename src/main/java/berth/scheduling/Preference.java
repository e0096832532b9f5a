package berth.scheduling;

import berth.reservation.ClusterId;
import berth.sla.InvalidFigure;
import berth.sla.Money;
import berth.time.Slot;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What a client likes better where slots of several clusters would do: the user preferences by which paper 001's reservation
 * service orders the slots that its probes found (section 3).
 *
 * <p>The paper leaves open how. Here every measure of a slot becomes a cost between 0, the least among the slots that are
 * compared, and 1, the most; a slot's score is the sum of its costs by their weights, and the least score comes first. A
 * measure in which all slots are alike counts for none of them. Of equal scores the earlier start comes first, then the
 * cluster's id, so that the order never depends on who answered first. Prices are compared by their amounts, whatever the
 * currency: who cares for the difference sets a budget, which only clusters of its currency take.
 *
 * @param weights of the measures that count, each at least 0, together 1
 */
public record Preference(Map<Measure, Double> weights) {

    /** By the start alone. */
    public static final Preference EARLIEST_START = of(Measure.START);

    /** By the end alone. */
    public static final Preference EARLIEST_COMPLETION = of(Measure.COMPLETION);

    /** By the price alone. */
    public static final Preference LOWEST_PRICE = of(Measure.PRICE);

    /** By the availability alone, the highest first. */
    public static final Preference BEST_AVAILABILITY = of(Measure.AVAILABILITY);

    private static final double TOLERANCE = 1e-9;

    /** What can be liked about a slot. */
    public enum Measure {
        /** An early start. */
        START,
        /** An early end. */
        COMPLETION,
        /** A low price. */
        PRICE,
        /** A high availability: little harm to the cluster's batch jobs. */
        AVAILABILITY;

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
     * A slot as a client sees it.
     *
     * @param cluster its id
     * @param price what a reservation there would cost
     * @param availability in [0, 1]
     */
    public record Choice(ClusterId cluster, Slot slot, Money price, double availability) {

        private static final Comparator<Choice> EARLIEST =
                Comparator.<Choice>comparingLong(choice -> choice.slot.start()).thenComparing(Choice::cluster);

        /** What a probe found on a cluster. */
        public static Choice of(ClusterId cluster, Probe.Offer offer) {
            return new Choice(cluster, offer.slot(), offer.price(), offer.availability());
        }
    }

    /** @throws InvalidFigure if a weight is below 0, or they do not add up to 1 */
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
        // in the order of the measures: sums of doubles depend on it
        weights = Collections.unmodifiableMap(counting);
    }

    private static Preference of(Measure measure) {
        return new Preference(Map.of(measure, 1.0));
    }

    /**
     * Puts slots in order, the best first. O(n log n).
     *
     * @param seen what of a slot counts
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

    /** The sums of the costs by their weights. */
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
