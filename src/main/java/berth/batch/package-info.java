/** Batch jobs beside reservations: the queue, its plans, and how available a slot is for them (paper 001). */
@NullMarked
package berth.batch;

import org.jspecify.annotations.NullMarked;
