/** The site's own rules about requests, which a program of the operator decides. */
@NullMarked
package berth.booking.policy;

import org.jspecify.annotations.NullMarked;
