/** The experiment of paper 002: requests in the order of DPSAR against requests as they come. */
@NullMarked
package berth.experiment.priority;

import org.jspecify.annotations.NullMarked;
