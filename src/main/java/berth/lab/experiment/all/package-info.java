/** All papers in one command. */
@NullMarked
package berth.lab.experiment.all;

import org.jspecify.annotations.NullMarked;
