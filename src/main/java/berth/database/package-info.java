/** The PostgreSQL itself: embedded or external, its durability, locks, connections and schema. */
@NullMarked
package berth.database;

import org.jspecify.annotations.NullMarked;
