/** Projects: accounts that file reservations under the same label and see each other's. */
@NullMarked
package berth.projects;

import org.jspecify.annotations.NullMarked;
