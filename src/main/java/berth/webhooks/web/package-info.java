/** The calls that manage webhooks, and the form of their messages. */
@NullMarked
package berth.webhooks.web;

import org.jspecify.annotations.NullMarked;
