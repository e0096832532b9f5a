package berth.availability;

/**
 * A feasible start with its maximum availability rectangle (paper 004, section 4.3). The rectangle consists of the PEs free throughout a
 * run from that start, over the longest time around the run in which they stay free. If PEs are only counted, it is the longest time in
 * which the same number stays free.
 *
 * @param start the start of the run, in seconds since the epoch
 * @param pes the number of PEs free throughout the run, at least as many as requested
 * @param from the begin of the rectangle, not before the present
 * @param to the end of the rectangle; {@link Long#MAX_VALUE} if it has none
 */
public record Rectangle(long start, int pes, long from, long to) {

    /** Returns the length in seconds; {@link Long#MAX_VALUE} for every endless rectangle, so that they compare as equally long. */
    public long duration() {
        boolean endless = to == Long.MAX_VALUE || to - from < 0;
        return endless ? Long.MAX_VALUE : to - from;
    }

    /** Returns PEs times seconds; {@link Long#MAX_VALUE} if the product is larger or the rectangle is endless. */
    public long area() {
        return duration() > Long.MAX_VALUE / pes ? Long.MAX_VALUE : pes * duration();
    }

    /** Returns the same rectangle with {@code fewer} PEs less. */
    Rectangle without(int fewer) {
        return new Rectangle(start, pes - fewer, from, to);
    }

    /** Returns the part of the rectangle before {@code deadline}, which must not be before the end of the run. */
    Rectangle until(long deadline) {
        return new Rectangle(start, pes, from, Math.min(to, deadline));
    }
}
