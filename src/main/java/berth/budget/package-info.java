/** What projects may spend: budgets, what reservations take of them, and the ledger that says so. */
@NullMarked
package berth.budget;

import org.jspecify.annotations.NullMarked;
