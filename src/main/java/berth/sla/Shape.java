package berth.sla;

import java.math.BigInteger;

/**
 * A rectangle that a request can become: a number of PEs and the run time on them (paper 003, section 3.1).
 *
 * @param pes the number of PEs, at least 1
 * @param runTime the run time in seconds, at least 1
 */
public record Shape(int pes, long runTime) {

    /** @throws IllegalArgumentException if a figure is not positive */
    public Shape {
        if (pes < 1 || runTime < 1) {
            throw new IllegalArgumentException(
                    "A shape needs positive PEs and a positive run time, but has %d PEs and %d s."
                            .formatted(pes, runTime));
        }
    }

    /**
     * Returns when {@code step} of {@code steps} equal steps of the run are done, in seconds from its start, rounded up.
     *
     * @param step from 0, the start, to {@code steps}, the end
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
