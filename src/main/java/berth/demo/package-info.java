/** A service to look at: an invented site with two weeks of history, and a robot that continues it. Loaded only in a demo. */
@NullMarked
package berth.demo;

import org.jspecify.annotations.NullMarked;
