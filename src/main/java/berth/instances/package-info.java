/** Several processes on one database: one is active, the others stand by. */
@NullMarked
package berth.instances;

import org.jspecify.annotations.NullMarked;
