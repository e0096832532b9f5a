/** What programs that ask a running service over HTTP have in common: where it stands, and whose token they bear. */
@NullMarked
package berth.client;

import org.jspecify.annotations.NullMarked;
