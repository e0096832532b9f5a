/** How terms, preferences and parts of runs are written in requests and responses. */
@NullMarked
package berth.booking.terms;

import org.jspecify.annotations.NullMarked;
