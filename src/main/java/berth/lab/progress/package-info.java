/** The progress that long commands of the laboratory show on a terminal. */
@NullMarked
package berth.lab.progress;

import org.jspecify.annotations.NullMarked;
