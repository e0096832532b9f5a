/** The journal, and the tables that follow it. */
@NullMarked
package berth.store;

import org.jspecify.annotations.NullMarked;
