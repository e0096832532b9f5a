/** The money of projects: budgets, what reservations take from them, and the ledger entries that record it. */
@NullMarked
package berth.budget;

import org.jspecify.annotations.NullMarked;
