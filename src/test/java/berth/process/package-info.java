/** Berth in its own processes, as it is operated: started, stopped, killed, started twice. */
@NullMarked
package berth.process;

import org.jspecify.annotations.NullMarked;
