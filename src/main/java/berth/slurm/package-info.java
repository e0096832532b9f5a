/**
 * The agent that makes a Slurm cluster follow Berth's plan. It runs near slurmctld, reads the plan over HTTP, and keeps one Slurm
 * reservation of whole named nodes for each part of a reservation (ADR 39).
 */
@NullMarked
package berth.slurm;

import org.jspecify.annotations.NullMarked;
