package berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.store.PersistenceSuite;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.ReflectionTestUtils;

/** The suite on the embedded PostgreSQL. */
@DirtiesContext
class EmbeddedPersistenceIT extends PersistenceSuite {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static EmbeddedServer server;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) throws Exception {
        server = new EmbeddedServer(new DataDirectory(directory.resolve("database")));
        int port = Integer.parseInt(server.getJdbcUrl().replaceAll(".*:(\\d+)/.*", "$1"));
        useDatabase(registry, "localhost", port, server.superuser(), directory.resolve("service"));
    }

    @Test
    void berthKeepsWatchingTheServerAfterAnError() {
        var looks = new AtomicInteger();
        var failing = new ServerProcess(ProcessHandle.current()) {
            @Override
            boolean hasEnded() {
                if (looks.incrementAndGet() < 3) {
                    throw new OutOfMemoryError("as the test wants it");
                }
                return true;
            }
        };
        ReflectionTestUtils.setField(server, "process", failing);

        // the check sees that the server does not run, and later that it does
        await().until(() -> ReflectionTestUtils.getField(server, "process") != failing);
        assertThat(looks).hasValue(3);
    }

    @AfterAll
    static void stop() {
        server.close();
    }
}
