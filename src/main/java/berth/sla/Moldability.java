package berth.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the run time depends on the number of PEs: f_mol of papers 000 (section 2.2) and 003 (section 3.1). The duration of the terms is
 * T^min, the run time on the most PEs. Run times apply to standard PEs and are rounded up.
 */
public sealed interface Moldability {

    /** The most shapes of a request. */
    int MAX_SHAPES = 256;

    /** Returns R^max, the most PEs. */
    int maxPes();

    /**
     * Returns the shapes on standard PEs, largest first.
     *
     * @param duration the run time on the most PEs, in seconds
     */
    List<Shape> shapes(long duration);

    /**
     * An explicit list of shapes.
     *
     * @param runTimes the run time on a standard PE, in seconds, for each number of PEs; it never rises with more PEs
     */
    record Runtimes(SortedMap<Integer, Long> runTimes) implements Moldability {

        /** @throws InvalidFigure if there are no shapes or too many, if a figure is out of range, or if more PEs take longer */
        public Runtimes {
            if (runTimes.isEmpty() || runTimes.size() > MAX_SHAPES) {
                throw new InvalidFigure(
                        "moldability.runtimes", runTimes.size(), "must have 1 to %d shapes".formatted(MAX_SHAPES));
            }
            long slower = Long.MAX_VALUE;
            for (var shape : runTimes.entrySet()) {
                if (shape.getKey() < 1 || shape.getValue() < 1) {
                    throw new InvalidFigure(
                            "moldability.runtimes", shape.getKey(), "must have at least 1 PE and 1 second each");
                }
                if (shape.getValue() > slower) {
                    throw new InvalidFigure(
                            "moldability.runtimes",
                            shape.getKey(),
                            "takes longer than a shape with fewer PEs; leave it out");
                }
                slower = shape.getValue();
            }
            runTimes = Collections.unmodifiableSortedMap(new TreeMap<>(runTimes));
        }

        @Override
        public int maxPes() {
            return runTimes.lastKey();
        }

        /** Returns the run time on the most PEs, in seconds. */
        public long duration() {
            return runTimes.lastEntry().getValue();
        }

        @Override
        public List<Shape> shapes(long duration) {
            return runTimes.entrySet().stream()
                    .map(entry -> new Shape(entry.getKey(), entry.getValue()))
                    .sorted(Comparator.comparing(Shape::pes).reversed())
                    .toList();
        }
    }

    /** A speed-up function. */
    enum Speedup {
        /** The work is the same on any number of PEs. */
        LINEAR,
        /**
         * The run time falls in a straight line from the fewest to the most PEs, and the work is the same at both ends: paper 003's k - cR.
         */
        CHORD,
        /** A fixed share of the work is serial. */
        AMDAHL
    }

    /** The numbers of PEs between the fewest and the most that are shapes. */
    enum AllowedPes {
        /** All numbers. */
        ANY,
        /** Only 1, 2, 4, 8 and so on. */
        POWERS_OF_TWO
    }

    /**
     * Shapes that follow from a speed-up function.
     *
     * @param minPes R^min, at least 1
     * @param maxPes R^max, at least {@code minPes}
     * @param speedup the function
     * @param serialFraction the serial share of the work on one PE, in [0, 1]; present if and only if the function is {@link
     *     Speedup#AMDAHL}
     * @param allowedPes the allowed numbers of PEs
     */
    record Function(int minPes, int maxPes, Speedup speedup, Optional<BigDecimal> serialFraction, AllowedPes allowedPes)
            implements Moldability {

        private static final int MAX_DECIMALS = 6;

        /** @throws InvalidFigure if a figure is out of range or contradicts another; it names the figure */
        public Function {
            if (minPes < 1) {
                throw new InvalidFigure("minPes", minPes, "must be at least 1");
            }
            if (maxPes < minPes) {
                throw new InvalidFigure("maxPes", maxPes, "must not be less than minPes");
            }
            if (serialFraction.isPresent() != (speedup == Speedup.AMDAHL)) {
                throw new InvalidFigure(
                        "moldability.serialFraction",
                        serialFraction.<Object>map(share -> share).orElse(speedup),
                        "goes with the speedup AMDAHL, and only with it; give both or neither");
            }
            if (serialFraction.isPresent()
                    && (serialFraction.get().signum() < 0
                            || serialFraction.get().compareTo(BigDecimal.ONE) > 0
                            || serialFraction.get().stripTrailingZeros().scale() > MAX_DECIMALS)) {
                throw new InvalidFigure(
                        "moldability.serialFraction",
                        serialFraction.get(),
                        "must lie between 0 and 1, with at most 6 decimals");
            }
            serialFraction = serialFraction
                    .map(BigDecimal::stripTrailingZeros)
                    .map(share -> share.setScale(Math.max(0, share.scale())));
            if (allowedPes == AllowedPes.ANY && (long) maxPes - minPes >= MAX_SHAPES) {
                throw new InvalidFigure(
                        "minPes",
                        minPes,
                        "leaves more than %d shapes; raise it, allow POWERS_OF_TWO, or name the shapes in runtimes"
                                .formatted(MAX_SHAPES));
            }
            if (numbers(minPes, maxPes, allowedPes).isEmpty()) {
                throw new InvalidFigure("minPes", minPes, "leaves no power of two up to maxPes; lower it");
            }
        }

        /** Returns the allowed numbers of PEs, largest first. */
        private static List<Integer> numbers(int minPes, int maxPes, AllowedPes allowed) {
            var numbers = new ArrayList<Integer>();
            switch (allowed) {
                case ANY -> {
                    for (int pes = maxPes; pes >= minPes; pes--) {
                        numbers.add(pes);
                    }
                }
                case POWERS_OF_TWO -> {
                    for (int pes = Integer.highestOneBit(maxPes); pes >= minPes; pes /= 2) {
                        numbers.add(pes);
                    }
                }
            }
            return numbers;
        }

        @Override
        public List<Shape> shapes(long duration) {
            return numbers(minPes, maxPes, allowedPes).stream()
                    .map(pes -> new Shape(pes, runTime(pes, duration)))
                    .toList();
        }

        private long runTime(int pes, long duration) {
            var least = BigDecimal.valueOf(duration);
            var exact = switch (speedup) {
                case LINEAR -> quotient(least.multiply(BigDecimal.valueOf(maxPes)), BigDecimal.valueOf(pes));
                case CHORD -> chord(pes, least);
                case AMDAHL -> amdahl(pes, least);
            };
            return exact.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
        }

        /** Returns the run time on the line from T^min at R^max to T^max = T^min R^max / R^min at R^min. */
        private BigDecimal chord(int pes, BigDecimal least) {
            // T^min (1 + (R^max / R^min - 1) (R^max - R) / (R^max - R^min)) = T^min (1 + (R^max - R) / R^min)
            return quotient(
                    least.multiply(BigDecimal.valueOf((long) minPes + maxPes - pes)), BigDecimal.valueOf(minPes));
        }

        /** Returns the run time in proportion to s + (1 - s) / R. */
        private BigDecimal amdahl(int pes, BigDecimal least) {
            var serial = serialFraction.orElseThrow();
            var parallel = BigDecimal.ONE.subtract(serial);
            var most = BigDecimal.valueOf(maxPes);
            var dividend =
                    serial.multiply(BigDecimal.valueOf(pes)).add(parallel).multiply(most);
            var divisor = serial.multiply(most).add(parallel).multiply(BigDecimal.valueOf(pes));
            return quotient(least.multiply(dividend), divisor);
        }

        private static BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) {
            return dividend.divide(divisor, 0, RoundingMode.CEILING);
        }
    }
}
