/** What is on disk: rows, the commit protocol in SQL, and the PostgreSQL that Berth brings along. */
@NullMarked
package berth.persistence;

import org.jspecify.annotations.NullMarked;
