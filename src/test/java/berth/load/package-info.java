/**
 * The load command: makes calls to a running service, either at a given rate or as fast as the service answers, and reports how long they
 * took. It uses only the HTTP API of the service.
 */
@NullMarked
package berth.load;

import org.jspecify.annotations.NullMarked;
