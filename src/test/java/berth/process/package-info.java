/** Berth in processes of its own, as it is run: started, stopped, killed, started twice. */
@NullMarked
package berth.process;

import org.jspecify.annotations.NullMarked;
