package berth.lab.experiment.prices;

import berth.pricing.Signal;
import berth.pricing.SignalStep;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Prices of energy, one for each hour without a gap.
 *
 * @param start the beginning of the first hour, in seconds since the epoch
 * @param hourly the prices, at least a week of them
 */
record EnergyPrices(long start, List<Double> hourly) {

    static final long HOUR = 3600;
    private static final BigDecimal LOWEST = new BigDecimal("0.01");
    private static final BigDecimal HIGHEST = new BigDecimal("100");
    private static final int WEEK = 7 * 24;

    EnergyPrices {
        hourly = List.copyOf(hourly);
    }

    /**
     * Reads a file with a first line of names, and then a line with a time and a price for each hour.
     *
     * @throws IllegalArgumentException naming the line that is wrong
     */
    static EnergyPrices read(Path file) throws IOException {
        var lines = Files.readAllLines(file);
        var prices = new ArrayList<Double>();
        long start = 0;
        for (var line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            long expected = start + HOUR * prices.size();
            try {
                var cells = line.split(",", -1);
                long time = Instant.parse(cells[0]).getEpochSecond();
                start = prices.isEmpty() ? time : start;
                if (!prices.isEmpty() && time != expected) {
                    throw new IllegalArgumentException("is not the next hour");
                }
                prices.add(Double.parseDouble(cells[1]));
            } catch (DateTimeException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        "Line %d, \"%s\", must be the next hour and its price, such as 2027-01-31T14:00:00Z,52.10: %s"
                                .formatted(prices.size() + 2, line, e.getMessage()));
            }
        }
        if (prices.size() < WEEK) {
            throw new IllegalArgumentException("It has %d hours. Give at least a week.".formatted(prices.size()));
        }
        return new EnergyPrices(start, prices);
    }

    long end() {
        return start + HOUR * hourly.size();
    }

    double mean() {
        return hourly.stream().mapToDouble(price -> price).average().orElseThrow();
    }

    /** Returns the price of the hour that contains {@code second}. */
    double at(long second) {
        return hourly.get(Math.toIntExact((second - start) / HOUR));
    }

    /**
     * Returns the signal of the hours in {@code [from, to)}.
     *
     * @param share the share of energy in the price of a PE-hour, at the mean price
     */
    Signal signal(long from, long to, double share) {
        var steps = new ArrayList<SignalStep>();
        double usual = mean();
        for (long hour = from; hour < to; hour += HOUR) {
            var factor = BigDecimal.valueOf(1 + share * (at(hour) / usual - 1))
                    .setScale(6, RoundingMode.HALF_UP)
                    .max(LOWEST)
                    .min(HIGHEST);
            steps.add(SignalStep.of(hour, factor));
        }
        return new Signal("day-ahead", steps, to);
    }
}
