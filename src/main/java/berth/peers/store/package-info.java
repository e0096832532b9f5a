/** The tables of other Berths, of questions to them, and of reservations there. */
@NullMarked
package berth.peers.store;

import org.jspecify.annotations.NullMarked;
