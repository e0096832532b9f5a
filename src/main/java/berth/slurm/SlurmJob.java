package berth.slurm;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A job in Slurm's queue.
 *
 * @param id as squeue tells it, an array's tasks one by one
 * @param user whose it is
 * @param isRunning whether it has its nodes; else it waits
 * @param nodes which it has; none of one that waits
 * @param count how many nodes it has or needs
 * @param limit how long it runs at the most, in seconds; empty: without limit
 * @param submittedAt seconds since the epoch
 * @param startedAt seconds since the epoch; empty of one that waits
 * @param reservation in which it runs or waits
 * @param reason why it waits, in Slurm's words
 */
record SlurmJob(
        String id,
        String user,
        boolean isRunning,
        List<String> nodes,
        int count,
        OptionalLong limit,
        long submittedAt,
        OptionalLong startedAt,
        Optional<String> reservation,
        String reason) {

    /** Whether it would start if there were room: not one that is held, waits for another one, or for a date. */
    boolean isReady() {
        return reason.equals("Priority") || reason.equals("Resources") || reason.equals("None");
    }
}
