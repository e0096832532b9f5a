/**
 * Where requests come from: logs in the Standard Workload Format or of Slurm, a model of them, and the recipes that turn jobs into
 * reservation requests. Knows nothing of the service; times are whole seconds, counted as the log or the model counts them.
 */
@NullMarked
package berth.workload;

import org.jspecify.annotations.NullMarked;
