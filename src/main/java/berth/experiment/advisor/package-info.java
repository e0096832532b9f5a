/**
 * The operator's advisor: one log under every way to place, to juggle and to bind, which of them served it best, and how
 * much of what was possible that is. It alone knows the exact solver.
 */
@NullMarked
package berth.experiment.advisor;

import org.jspecify.annotations.NullMarked;
