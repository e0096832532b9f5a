package berth.desk;

import berth.reservation.ClusterId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Exports of all that is recorded, made by the service itself and kept only where they were found good. */
public interface Backups {

    /** Begins to make one, unless one is being made. Returns at once. */
    void start();

    Status status();

    /**
     * How things stand.
     *
     * @param runningSince when the one was begun that is being made
     * @param failure of the last attempt, if that failed; forgotten with the process
     * @param good those that are there, newest first
     */
    record Status(Optional<Instant> runningSince, Optional<Failure> failure, List<Backup> good) {}

    /**
     * A backup.
     *
     * @param file its name in the directory for backups
     * @param at as of when
     * @param bytes its size
     * @param berth the version of Berth that made it
     * @param clusters the sequence of the last event of each
     */
    record Backup(String file, Instant at, long bytes, String berth, Map<ClusterId, Long> clusters) {}

    /** A backup could not be made, or was not good. */
    record Failure(Instant at, String reason) {}
}
