/** What the programs of the laboratory show to whoever sits at a terminal. */
@NullMarked
package berth.terminal;

import org.jspecify.annotations.NullMarked;
