/** Other Berths whose clusters this one can use: how they are called, and what is known of reservations there. */
@NullMarked
package berth.peers;

import org.jspecify.annotations.NullMarked;
