/** The command line of Berth. */
@NullMarked
package berth;

import org.jspecify.annotations.NullMarked;
