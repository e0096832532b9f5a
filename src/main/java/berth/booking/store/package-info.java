/** The tables of collected requests and co-allocations, and the reader of everything recorded. */
@NullMarked
package berth.booking.store;

import org.jspecify.annotations.NullMarked;
