/** The table of accounts. */
@NullMarked
package berth.accounts.store;

import org.jspecify.annotations.NullMarked;
