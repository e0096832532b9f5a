/** All papers in one command. */
@NullMarked
package berth.experiment.all;

import org.jspecify.annotations.NullMarked;
