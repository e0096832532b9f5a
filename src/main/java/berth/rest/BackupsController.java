package berth.rest;

import berth.desk.Backups;
import berth.desk.Backups.Backup;
import berth.desk.Backups.Status;
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

/** Backups, for administrators. */
@RestController
@RequestMapping("/api/v1/backups")
class BackupsController {

    private final Backups backups;

    BackupsController(Backups backups) {
        this.backups = backups;
    }

    /**
     * How it stands with backups.
     *
     * @param runningSince when the one was begun that is being made; null if none is
     * @param failure what kept the last attempt from making one; null if nothing did
     * @param items the good ones that are there, newest first
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
     * Why a backup could not be made.
     *
     * @param at when it was given up
     * @param reason what went wrong, in the words of who noticed it
     */
    @Schema(name = "BackupFailure")
    record BackupFailureBody(String at, String reason) {}

    /**
     * A backup, which was read back and found good.
     *
     * @param file its name in the directory for backups, on the machine of the service
     * @param at as of when
     * @param bytes its size
     * @param berth the version of Berth that made it
     * @param journals how far the journal of each cluster goes
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
     * @param cluster its id
     * @param lastSequence the number of its last event there; 0 if there is none
     */
    @Schema(name = "BackedUpJournal")
    record BackedUpJournalBody(String cluster, long lastSequence) {}

    /** Begins to make a backup, unless one is being made. Whether it came to be, and was good, is told by the list. */
    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    BackupsBody makeBackup() {
        backups.start();
        return BackupsBody.of(backups.status());
    }

    /** Tells how it stands with backups. */
    @GetMapping
    BackupsBody listBackups() {
        return BackupsBody.of(backups.status());
    }
}
