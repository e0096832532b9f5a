package berth.slurm;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A job in Slurm's queue.
 *
 * @param id the id that squeue shows; the tasks of an array have one each
 * @param user the user who owns the job
 * @param state its state, as Slurm names it
 * @param partitions the partitions in one of which it runs or may run
 * @param nodes its nodes; empty if it waits
 * @param count the number of nodes that it has or needs
 * @param limit the longest time that it may run, in seconds; empty if there is no limit
 * @param submittedAt when it was submitted, in seconds since the epoch
 * @param startedAt when it started, in seconds since the epoch; empty if it waits
 * @param reservations the reservations in one of which it runs or waits; empty if it is outside of reservations
 * @param qos its quality of service; empty if Slurm has no accounting
 * @param reason why it waits, as Slurm names it
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
        String qos,
        String reason) {

    /** Checks whether it has its nodes; otherwise it waits. */
    boolean isRunning() {
        return !state.equals("PENDING");
    }

    /** Checks whether it is ending. */
    boolean isEnding() {
        return state.equals("COMPLETING");
    }

    /** Returns when its time limit ends it, in seconds since the epoch; {@link Long#MAX_VALUE} if it has no limit. */
    long end(long now) {
        return limit.isPresent() ? startedAt.orElse(now) + limit.getAsLong() : Long.MAX_VALUE;
    }

    boolean isIn(Predicate<String> reservation) {
        return reservations.stream().anyMatch(reservation);
    }

    /** Checks whether it would start if there were room. A job that is held, or waits for another job or for a date, would not. */
    boolean isReady() {
        return reason.equals("Priority") || reason.equals("Resources") || reason.equals("None");
    }

    /** Checks whether it waits for the nodes of a reservation and for nothing else. */
    boolean isFor(String reservation) {
        boolean isKeptAway = reason.equals("Reservation") || reason.startsWith("ReqNodeNotAvail");
        return !isRunning() && (isReady() || isKeptAway) && reservations.contains(reservation);
    }
}
