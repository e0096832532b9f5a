package berth.cluster;

import berth.sla.InvalidFigure;

/**
 * How a cluster or the broker takes in requests for reservations.
 *
 * @param order the order in which requests are decided
 * @param window how long requests are collected, in seconds from the first one, 0 to 3600; ignored with ARRIVAL
 * @param levels the number of priority levels, 2 to 10; half of it is paper 002's significant difference SD
 * @param jobsPerUser how many requests of one account a round decides before those of lower priority (paper 002's N), 1 to 1000
 */
public record Intake(IntakeOrder order, long window, int levels, int jobsPerUser) {

    /** The standard: each request is decided on arrival. */
    public static final Intake STANDARD = new Intake(IntakeOrder.ARRIVAL, 0, 10, 3);

    private static final long LONGEST_WINDOW = 3600;
    private static final int MAX_LEVELS = 10;
    private static final int MAX_JOBS = 1000;

    /** @throws InvalidFigure if a figure is out of range */
    public Intake {
        if (window < 0 || window > LONGEST_WINDOW) {
            throw new InvalidFigure("window", window, "must lie between 0 and one hour");
        }
        if (levels < 2 || levels > MAX_LEVELS) {
            throw new InvalidFigure("levels", levels, "must lie between 2 and 10");
        }
        if (jobsPerUser < 1 || jobsPerUser > MAX_JOBS) {
            throw new InvalidFigure("jobsPerUser", jobsPerUser, "must lie between 1 and 1000");
        }
    }
}
