/** What it saves to follow prices by the hour. */
@NullMarked
package berth.lab.experiment.prices;

import org.jspecify.annotations.NullMarked;
