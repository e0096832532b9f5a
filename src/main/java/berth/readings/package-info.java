/** The calls with which dashboards read schedules, load and sums. */
@NullMarked
package berth.readings;

import org.jspecify.annotations.NullMarked;
