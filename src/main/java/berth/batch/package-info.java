/** Batch jobs alongside reservations: the queue, its plans, and the availability of slots (paper 001). */
@NullMarked
package berth.batch;

import org.jspecify.annotations.NullMarked;
