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
 * How the run time depends on the number of PEs: f_mol of papers 000 (section 2.2) and 003 (section 3.1). The run time on
 * the most PEs, T^min, is the duration of the terms; run times are on a standard PE, and rounded up.
 */
public sealed interface Moldability {

    /** The most shapes a request may have. */
    int MAX_SHAPES = 256;

    /** R^max. */
    int maxPes();

    /** The shapes on standard PEs, the largest first; {@code duration} is the run time on the most PEs. */
    List<Shape> shapes(long duration);

    /**
     * These shapes only.
     *
     * @param runTimes seconds on a standard PE by the number of PEs; more PEs never take longer
     */
    record Runtimes(SortedMap<Integer, Long> runTimes) implements Moldability {

        /** @throws InvalidFigure if there are none or too many, one is out of range, or more PEs take longer */
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
                            "takes longer than fewer PEs do; leave that shape out");
                }
                slower = shape.getValue();
            }
            runTimes = Collections.unmodifiableSortedMap(new TreeMap<>(runTimes));
        }

        @Override
        public int maxPes() {
            return runTimes.lastKey();
        }

        /** The run time on the most PEs. */
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

    /** What a run gains from more PEs. */
    enum Speedup {
        /** The work remains the same. */
        LINEAR,
        /** A straight line between the ends, where the work is the same: paper 003's k - cR. */
        CHORD,
        /** A share of the work is serial. */
        AMDAHL
    }

    /** Which numbers of PEs between the least and the most are shapes. */
    enum AllowedPes {
        /** All. */
        ANY,
        /** 1, 2, 4, 8 and so on. */
        POWERS_OF_TWO
    }

    /**
     * Shapes by a speed-up function.
     *
     * @param minPes R^min, at least 1
     * @param maxPes R^max, not less than {@code minPes}
     * @param speedup which function
     * @param serialFraction of the work on one PE, in [0, 1]; present exactly for {@link Speedup#AMDAHL}
     * @param allowedPes which numbers of PEs
     */
    record Function(int minPes, int maxPes, Speedup speedup, Optional<BigDecimal> serialFraction, AllowedPes allowedPes)
            implements Moldability {

        private static final int MAX_DECIMALS = 6;

        /** @throws InvalidFigure naming what is out of range, or contradicts the rest */
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
                        "must be given with AMDAHL, and with nothing else");
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

        /** The numbers of PEs, the largest first. */
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

        /** From T^min on R^max to T^max = T^min R^max / R^min on R^min. */
        private BigDecimal chord(int pes, BigDecimal least) {
            // T^min (1 + (R^max / R^min - 1) (R^max - R) / (R^max - R^min)) = T^min (1 + (R^max - R) / R^min)
            return quotient(
                    least.multiply(BigDecimal.valueOf((long) minPes + maxPes - pes)), BigDecimal.valueOf(minPes));
        }

        /** Proportional to s + (1 - s) / R. */
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
