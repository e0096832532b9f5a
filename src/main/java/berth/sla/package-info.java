/** The terms of a service level agreement: what a client requests and what Berth promises (paper 000, section 2). */
@NullMarked
package berth.sla;

import org.jspecify.annotations.NullMarked;
