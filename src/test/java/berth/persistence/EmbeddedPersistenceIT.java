package berth.persistence;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The suite on the PostgreSQL that Berth brings along. */
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
        useDatabase(registry, "localhost", port, server, directory.resolve("service"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }
}
