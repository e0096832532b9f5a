package berth.scheduling;

import berth.sla.Violation;

/**
 * One of a list that somebody tells, such as a job or an outage, which is left out, since it cannot be as it is told.
 *
 * @param index where it stands in the list, from 0
 * @param why with the field, the list's name and {@code [} index {@code ].} before it
 */
public record LeftOut(int index, Violation why) {}
