/** The table of webhooks, with encrypted secrets. */
@NullMarked
package berth.webhooks.store;

import org.jspecify.annotations.NullMarked;
