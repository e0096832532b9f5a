/**
 * The operator's advisor: replays one log under every combination of placement, juggling and binding, ranks them, and compares them with an
 * upper bound. Only this package uses the exact solver.
 */
@NullMarked
package berth.lab.experiment.advisor;

import org.jspecify.annotations.NullMarked;
