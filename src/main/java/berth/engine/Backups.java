package berth.engine;

import berth.reservation.ClusterId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The service's automatic exports of everything recorded. An export is kept only if its verification succeeds. */
public interface Backups {

    /** Starts a backup unless one is in progress, and returns at once. */
    void start();

    Status status();

    /**
     * The state of the backups.
     *
     * @param runningSince when the backup in progress began
     * @param failure the failure of the last attempt, if it failed; lost when the process ends
     * @param good the verified backups that exist, newest first
     */
    record Status(Optional<Instant> runningSince, Optional<Failure> failure, List<Backup> good) {}

    /**
     * A backup.
     *
     * @param file the name of the file in the backup directory
     * @param at the time of its content
     * @param bytes the size
     * @param berth the version of Berth that made it
     * @param clusters the sequence of the last event of each cluster
     */
    record Backup(String file, Instant at, long bytes, String berth, Map<ClusterId, Long> clusters) {}

    /** The failure of a backup or of its verification. */
    record Failure(Instant at, String reason) {}
}
