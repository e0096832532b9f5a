package berth.reservation;

/**
 * How long ahead of its start and its end a reservation is announced to those who asked for it.
 *
 * @param seconds the time before the start or end
 * @param since when they asked for it, in seconds since the epoch; no announcement for this lead is made before that
 */
public record Lead(long seconds, long since) {

    /** The most leads that an account and its webhooks have together, and that all administrators and their webhooks have together. */
    public static final int MAX = 8;

    /** The shortest lead, in seconds. */
    public static final long SHORTEST = 60;

    /** The longest lead, in seconds: thirty days. */
    public static final long LONGEST = 30L * 24 * 3600;
}
