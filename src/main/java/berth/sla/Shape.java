package berth.sla;

import java.math.BigInteger;

/**
 * One of the rectangles that a request may become: so many PEs for so long (paper 003, section 3.1).
 *
 * @param pes processing elements, at least 1
 * @param runTime seconds, at least 1
 */
public record Shape(int pes, long runTime) {

    /** @throws IllegalArgumentException if a figure is not positive */
    public Shape {
        if (pes < 1 || runTime < 1) {
            throw new IllegalArgumentException(
                    "A shape of %d PEs for %d s: both must be positive.".formatted(pes, runTime));
        }
    }

    /**
     * When that many steps of equally many parts of the run are done: seconds from its beginning, rounded up to whole ones.
     *
     * @param step from 0, the beginning, to {@code steps}, the end
     */
    public long cut(int step, int steps) {
        if (step == steps) {
            return runTime;
        }
        var exact = BigInteger.valueOf(runTime).multiply(BigInteger.valueOf(step));
        return exact.add(BigInteger.valueOf(steps - 1L))
                .divide(BigInteger.valueOf(steps))
                .longValueExact();
    }
}
