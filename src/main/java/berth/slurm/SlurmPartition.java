package berth.slurm;

import java.util.List;
import java.util.OptionalLong;

/**
 * A partition of Slurm.
 *
 * @param nodes the names of its nodes, in Slurm's order
 * @param maxTime the longest time that a job may run there, in seconds; empty if there is no limit
 */
record SlurmPartition(String name, List<String> nodes, OptionalLong maxTime) {}
