package berth.scheduling;

import berth.sla.Violation;

/**
 * An item of a reported list, such as a job or an outage, that is skipped because it is invalid.
 *
 * @param index the position in the list, from 0
 * @param why the error; its field begins with the name of the list and {@code [} index {@code ].}
 */
public record LeftOut(int index, Violation why) {}
