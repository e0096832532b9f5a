/** Authentication: accounts, tokens, an external issuer, and roles. */
@NullMarked
package berth.accounts;

import org.jspecify.annotations.NullMarked;
