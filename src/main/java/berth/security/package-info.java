/** Authentication and authorisation: accounts, tokens, roles, projects, and the calls that are open to each role. */
@NullMarked
package berth.security;

import org.jspecify.annotations.NullMarked;
