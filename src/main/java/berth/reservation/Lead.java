package berth.reservation;

/**
 * How long ahead of the start of a reservation, and of its end, somebody wants to be told of it.
 *
 * @param seconds so long ahead
 * @param since when it was asked for, seconds since the epoch: nothing is told in it before that
 */
public record Lead(long seconds, long since) {}
