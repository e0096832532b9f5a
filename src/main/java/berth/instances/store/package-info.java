/** How instances find each other in PostgreSQL and take over. */
@NullMarked
package berth.instances.store;

import org.jspecify.annotations.NullMarked;
