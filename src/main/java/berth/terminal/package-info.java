/** Code that the commands share: progress displays, and the client for the service with its options. */
@NullMarked
package berth.terminal;

import org.jspecify.annotations.NullMarked;
