package berth.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.database.DataDirectory;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class BackupsIT extends ServiceSuite {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The data directory of the service, which may have been started for another test. */
    @Autowired
    @SuppressWarnings("NullAway.Init")
    private DataDirectory data;

    @Test
    void aBackupIsMadeWhileTheServiceGoesOn() throws Exception {
        var cluster = newCluster(4);
        // the next backup must not begin in the same second as one of another test
        clock.advance(Duration.ofHours(1));
        await().atMost(PATIENCE).until(this::isIdle);

        var begun = admin.post("/api/v1/backups", "");

        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.body().path("runningSince").isNull()).isFalse();
        assertThat(admin.post("/api/v1/backups", "").text("runningSince")).isEqualTo(begun.text("runningSince"));
        await().atMost(PATIENCE).until(this::isIdle);
        var made = admin.get("/api/v1/backups").body();
        assertThat(made.path("failure").isNull()).as(made.toString()).isTrue();
        var newest = made.path("items").path(0);
        var file = data.resolve("backups").resolve(newest.path("file").asString());
        assertThat(Files.size(file)).isEqualTo(newest.path("bytes").asLong());
        assertThat(newest.path("journals").findValuesAsString("cluster")).contains(cluster);
        assertThat(Files.list(data.resolve("backups")))
                .noneMatch(other -> other.toString().endsWith(".part"));
        assertThat(Scrape.of(admin).value("berth_backup_last_good_seconds", Map.of()))
                .isEqualTo(Instant.parse(newest.path("at").asString()).getEpochSecond());
    }

    private boolean isIdle() {
        return admin.get("/api/v1/backups").body().path("runningSince").isNull();
    }
}
