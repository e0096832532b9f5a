/**
 * The replay client: reserves the jobs of a log on a running service over HTTP and reports the results. It uses only the HTTP API of the
 * service.
 */
@NullMarked
package berth.lab.replay;

import org.jspecify.annotations.NullMarked;
