/**
 * Paper 001 (Röblitz and Rzadca, on the placement of reservations into job schedules): how many reservations are granted beside a batch
 * queue and how its jobs fare, with two methods that rate slots; and whether these ratings predict the delays.
 */
@NullMarked
package berth.lab.experiment.whatif;

import org.jspecify.annotations.NullMarked;
