/** Who calls: accounts, their tokens and roles, and which call is open to whom. */
@NullMarked
package berth.security;

import org.jspecify.annotations.NullMarked;
