package berth.cluster;

import berth.sla.InvalidFigure;

/**
 * How requests for reservations are taken in.
 *
 * @param order in which they are decided
 * @param window seconds for which they are collected, from the first on; 0 to 3600. Means nothing for ARRIVAL
 * @param levels how many levels of priority are told apart, 2 to 10: half of it is paper 002's significant difference SD
 * @param jobsPerUser how many requests of an account a round decides before those of lower priority (paper 002's N), 1 to 1000
 */
public record Intake(IntakeOrder order, long window, int levels, int jobsPerUser) {

    /** Each request is decided as it comes. */
    public static final Intake STANDARD = new Intake(IntakeOrder.ARRIVAL, 0, 10, 3);

    private static final long LONGEST_WINDOW = 3600;
    private static final int MAX_LEVELS = 10;
    private static final int MAX_JOBS = 1000;

    /** @throws InvalidFigure if a figure is out of range */
    public Intake {
        if (window < 0 || window > LONGEST_WINDOW) {
            throw new InvalidFigure("window", window, "must not be negative, nor exceed an hour");
        }
        if (levels < 2 || levels > MAX_LEVELS) {
            throw new InvalidFigure("levels", levels, "must lie between 2 and 10");
        }
        if (jobsPerUser < 1 || jobsPerUser > MAX_JOBS) {
            throw new InvalidFigure("jobsPerUser", jobsPerUser, "must lie between 1 and 1000");
        }
    }
}
