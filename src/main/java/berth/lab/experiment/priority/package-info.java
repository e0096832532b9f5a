/** The experiment of paper 002: requests in the order of DPSAR compared with the order of arrival. */
@NullMarked
package berth.lab.experiment.priority;

import org.jspecify.annotations.NullMarked;
