/** Many clusters for one request: who could hold it, which slot is the best, and what becomes of several at one start. */
@NullMarked
package berth.broker;

import org.jspecify.annotations.NullMarked;
