package berth.reservation;

/**
 * How long ahead of the start of a reservation, and of its end, somebody wants to be told of it.
 *
 * @param seconds so long ahead
 * @param since when it was asked for, seconds since the epoch: nothing is told in it before that
 */
public record Lead(long seconds, long since) {

    /** The most that an account and its webhooks have together, and the most that all administrators and theirs have. */
    public static final int MAX = 8;

    /** Seconds. */
    public static final long SHORTEST = 60;

    /** Seconds: thirty days. */
    public static final long LONGEST = 30L * 24 * 3600;
}
