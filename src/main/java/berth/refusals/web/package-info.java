/** Calls that list refused requests. */
@NullMarked
package berth.refusals.web;

import org.jspecify.annotations.NullMarked;
