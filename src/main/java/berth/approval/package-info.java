/** The approval of reservations by people: the rules that ask for it, and the answers. */
@NullMarked
package berth.approval;

import org.jspecify.annotations.NullMarked;
