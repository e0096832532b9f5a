/** The tables of series and maintenances. */
@NullMarked
package berth.series.store;

import org.jspecify.annotations.NullMarked;
