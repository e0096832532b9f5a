/** What commands share: how far they are, and which service they ask. */
@NullMarked
package berth.terminal;

import org.jspecify.annotations.NullMarked;
