/** What a client asks for and what Berth promises: the terms of a service level agreement (paper 000, section 2). */
@NullMarked
package berth.sla;

import org.jspecify.annotations.NullMarked;
