package berth.slurm;

import java.util.List;
import java.util.OptionalLong;

/**
 * A partition of Slurm.
 *
 * @param nodes the names of its nodes, in Slurm's order
 * @param maxTime the longest time that a job may run there, in seconds; empty if there is no limit
 * @param isDefault whether it gets the jobs that name no partition
 * @param tier its priority tier: its jobs may preempt those of lower tiers
 * @param areJobsPreemptable whether its jobs may have to give way
 * @param isOpen whether Slurm starts its jobs
 */
record SlurmPartition(
        String name,
        List<String> nodes,
        OptionalLong maxTime,
        boolean isDefault,
        int tier,
        boolean areJobsPreemptable,
        boolean isOpen) {}
