/** The calls that concern series and maintenances. */
@NullMarked
package berth.series.web;

import org.jspecify.annotations.NullMarked;
