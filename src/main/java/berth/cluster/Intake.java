package berth.cluster;

import static berth.sla.Components.checked;

import berth.sla.InvalidFigure;
import berth.sla.Settable;

/**
 * Intake of a cluster: how it takes in requests for reservations. The broker has one, too. Half of the number of levels is paper 002's
 * significant difference SD, and the requests of one account are the paper's N.
 *
 * @param order the order in which requests are decided
 * @param window how long requests are collected, counted from the first one; has no effect with ARRIVAL
 * @param levels number of priority levels: accounts whose priorities differ by at most half of this number compete by the length of their
 *     runs
 * @param jobsPerUser how many requests of one account a round decides before those of accounts with a lower priority
 */
public record Intake(
        @Settable IntakeOrder order,
        @Settable(min = "0", max = "3600", example = "PT1M") long window,
        @Settable(min = "2", max = "10", example = "10") int levels,
        @Settable(min = "1", max = "1000", example = "3") int jobsPerUser) {

    /** The standard: each request is decided on arrival. */
    public static final Intake STANDARD = new Intake(IntakeOrder.ARRIVAL, 0, 10, 3);

    /** @throws InvalidFigure if a figure is out of range */
    public Intake {
        checked(Intake.class, "window", window);
        checked(Intake.class, "levels", levels);
        checked(Intake.class, "jobsPerUser", jobsPerUser);
    }
}
