/** The price of a reservation: the tariff of a cluster and its price function. */
@NullMarked
package berth.pricing;

import org.jspecify.annotations.NullMarked;
