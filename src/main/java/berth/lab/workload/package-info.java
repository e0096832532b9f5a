/**
 * Sources of requests: logs in the Standard Workload Format or of Slurm, a model of such logs, and the recipes that turn jobs into
 * reservation requests. Independent of the service; times are whole seconds on the clock of the log or the model.
 */
@NullMarked
package berth.lab.workload;

import org.jspecify.annotations.NullMarked;
