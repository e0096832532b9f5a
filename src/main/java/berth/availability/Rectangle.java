package berth.availability;

/**
 * A feasible start with its maximum availability rectangle (paper 004, section 4.3): the PEs that are free throughout a
 * run from there, and the longest stretch of time around the run in which they, or as many, stay free.
 *
 * @param start of the run, seconds since the epoch
 * @param pes how many are free throughout the run, at least as many as are wanted
 * @param from since when they are, not before the present
 * @param to until when they are; {@link Long#MAX_VALUE}: for ever
 */
public record Rectangle(long start, int pes, long from, long to) {

    /** Its length in seconds; {@link Long#MAX_VALUE} if it is endless, so that all endless ones are equally long. */
    public long duration() {
        boolean endless = to == Long.MAX_VALUE || to - from < 0;
        return endless ? Long.MAX_VALUE : to - from;
    }

    /** PEs times seconds; {@link Long#MAX_VALUE} if that is more, as it is if the rectangle is endless. */
    public long area() {
        return duration() > Long.MAX_VALUE / pes ? Long.MAX_VALUE : pes * duration();
    }

    /** The same with {@code fewer} PEs fewer. */
    Rectangle without(int fewer) {
        return new Rectangle(start, pes - fewer, from, to);
    }

    /** The part of it that lies before {@code deadline}, which is not before the run's end. */
    Rectangle until(long deadline) {
        return new Rectangle(start, pes, from, Math.min(to, deadline));
    }
}
