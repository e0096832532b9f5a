/** The calls that manage accounts. */
@NullMarked
package berth.accounts.web;

import org.jspecify.annotations.NullMarked;
