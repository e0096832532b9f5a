/** The schedule of one cluster, the events that change it, and the decisions that return them. */
@NullMarked
package berth.scheduling;

import org.jspecify.annotations.NullMarked;
