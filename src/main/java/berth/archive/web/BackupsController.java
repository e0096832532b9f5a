package berth.archive.web;

import berth.engine.Backups;
import berth.engine.Backups.Backup;
import berth.engine.Backups.Status;
import berth.reservation.ClusterId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls that make and list backups, for administrators. */
@RestController
@RequestMapping("/api/v1/backups")
class BackupsController {

    private final Backups backups;

    BackupsController(Backups backups) {
        this.backups = backups;
    }

    /**
     * State of the backups.
     *
     * @param runningSince when the backup in progress began; null if none is in progress
     * @param failure why the last attempt failed; null if it succeeded
     * @param items the good backups that exist, newest first
     */
    @Schema(name = "Backups")
    record BackupsBody(
            @Nullable String runningSince, @Nullable BackupFailureBody failure, List<BackupBody> items) {

        static BackupsBody of(Status status) {
            return new BackupsBody(
                    status.runningSince().map(Instant::toString).orElse(null),
                    status.failure()
                            .map(failed -> new BackupFailureBody(failed.at().toString(), failed.reason()))
                            .orElse(null),
                    status.good().stream().map(BackupBody::of).toList());
        }
    }

    /**
     * The failure of a backup.
     *
     * @param at when Berth gave up
     * @param reason the error, as the failing component reported it
     */
    @Schema(name = "BackupFailure")
    record BackupFailureBody(String at, String reason) {}

    /**
     * A backup that Berth has read back and found good.
     *
     * @param file name of the file in the backup directory, on the machine of the service
     * @param at the moment whose state the backup contains
     * @param bytes its size in bytes
     * @param berth the version of Berth that made it
     * @param journals how far the journal of each cluster goes in the backup
     */
    @Schema(name = "Backup")
    record BackupBody(String file, String at, long bytes, String berth, List<BackedUpJournalBody> journals) {

        static BackupBody of(Backup backup) {
            return new BackupBody(
                    backup.file(),
                    backup.at().toString(),
                    backup.bytes(),
                    backup.berth(),
                    backup.clusters().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey(Comparator.comparing(ClusterId::value)))
                            .map(each -> new BackedUpJournalBody(each.getKey().value(), each.getValue()))
                            .toList());
        }
    }

    /**
     * The journal of a cluster in a backup.
     *
     * @param cluster id of the cluster
     * @param lastSequence sequence of its last event in the backup; 0 if it has none
     */
    @Schema(name = "BackedUpJournal")
    record BackedUpJournalBody(String cluster, long lastSequence) {}

    /** Starts a backup, unless one is in progress. The list of backups shows whether it succeeded. */
    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    BackupsBody makeBackup() {
        backups.start();
        return BackupsBody.of(backups.status());
    }

    /** Lists the good backups, with the backup in progress and the last failure. */
    @GetMapping
    BackupsBody listBackups() {
        return BackupsBody.of(backups.status());
    }
}
