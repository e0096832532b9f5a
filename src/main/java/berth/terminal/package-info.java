/** Code that the commands share: the client for the service, with its options. */
@NullMarked
package berth.terminal;

import org.jspecify.annotations.NullMarked;
