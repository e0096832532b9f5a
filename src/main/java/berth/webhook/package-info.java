/** Tells receivers over HTTP what happens: subscriptions, and deliveries that go on until they arrive. */
@NullMarked
package berth.webhook;

import org.jspecify.annotations.NullMarked;
