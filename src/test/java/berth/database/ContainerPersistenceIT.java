package berth.database;

import berth.store.PersistenceSuite;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The same suite on a PostgreSQL in a container; skipped, and reported as such, without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@DirtiesContext
@Tag("full")
class ContainerPersistenceIT extends PersistenceSuite {

    @Container
    static final PostgreSQLContainer container = new PostgreSQLContainer("postgres:18");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) throws Exception {
        var details = new JdbcConnectionDetails() {
            @Override
            public String getUsername() {
                return container.getUsername();
            }

            @Override
            public String getPassword() {
                return container.getPassword();
            }

            @Override
            public String getJdbcUrl() {
                return container.getJdbcUrl();
            }
        };
        useDatabase(registry, container.getHost(), container.getMappedPort(5432), details, directory);
    }
}
