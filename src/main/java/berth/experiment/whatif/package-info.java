/**
 * Paper 001 (Röblitz and Rzadca, on the placement of reservations into job schedules): how many reservations are granted
 * beside a batch queue and how its jobs fare, by two methods that tell how available a slot is; and whether what they tell
 * comes true.
 */
@NullMarked
package berth.experiment.whatif;

import org.jspecify.annotations.NullMarked;
