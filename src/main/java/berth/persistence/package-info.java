/** Storage: rows, the commit protocol in SQL, and the embedded PostgreSQL. */
@NullMarked
package berth.persistence;

import org.jspecify.annotations.NullMarked;
