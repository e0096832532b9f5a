/**
 * The replay client: reserves the jobs of a log on a running service over HTTP and reports what came of it. It knows the
 * service by its HTTP contract alone.
 */
@NullMarked
package berth.replay;

import org.jspecify.annotations.NullMarked;
