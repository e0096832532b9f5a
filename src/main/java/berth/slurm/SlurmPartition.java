package berth.slurm;

import java.util.List;
import java.util.OptionalLong;

/**
 * A partition of Slurm.
 *
 * @param nodes by their names, in the order in which Slurm has them
 * @param maxTime how long a job may run there, in seconds; empty: without limit
 */
record SlurmPartition(String name, List<String> nodes, OptionalLong maxTime) {}
