/** What a reservation costs: the tariff of a cluster and its price function. */
@NullMarked
package berth.pricing;

import org.jspecify.annotations.NullMarked;
