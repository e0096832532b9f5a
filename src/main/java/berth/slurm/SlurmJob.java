package berth.slurm;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A job in Slurm's queue.
 *
 * @param id as squeue tells it, an array's tasks one by one
 * @param user whose it is
 * @param state in Slurm's words
 * @param partitions in one of which it runs or is to run
 * @param nodes which it has; none of one that waits
 * @param count how many nodes it has or needs
 * @param limit how long it runs at the most, in seconds; empty: without limit
 * @param submittedAt seconds since the epoch
 * @param startedAt seconds since the epoch; empty of one that waits
 * @param reservations in one of which it runs or waits; none: it is outside
 * @param reason why it waits, in Slurm's words
 */
record SlurmJob(
        String id,
        String user,
        String state,
        Set<String> partitions,
        List<String> nodes,
        int count,
        OptionalLong limit,
        long submittedAt,
        OptionalLong startedAt,
        Set<String> reservations,
        String reason) {

    /** Whether it has its nodes; else it waits. */
    boolean isRunning() {
        return !state.equals("PENDING");
    }

    /** Whether it has been told to end. */
    boolean isEnding() {
        return state.equals("COMPLETING");
    }

    boolean isIn(Predicate<String> reservation) {
        return reservations.stream().anyMatch(reservation);
    }

    /** Whether it would start if there were room: not one that is held, waits for another one, or for a date. */
    boolean isReady() {
        return reason.equals("Priority") || reason.equals("Resources") || reason.equals("None");
    }
}
