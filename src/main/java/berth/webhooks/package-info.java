/** Webhooks: subscriptions to events, and messages over HTTP that are repeated until they arrive. */
@NullMarked
package berth.webhooks;

import org.jspecify.annotations.NullMarked;
