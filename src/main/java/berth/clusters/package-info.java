/** The calls that manage clusters, their outages and batch jobs, and how far reservations are in place on the machine. */
@NullMarked
package berth.clusters;

import org.jspecify.annotations.NullMarked;
