package berth.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Unpacks the programs of PostgreSQL before the first integration test. The library unpacks them once in a process, into the directory of the
 * first server, and all later servers need them; that directory must not be one that a test removes.
 */
public final class PostgresPrograms implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        if (context.getRequiredTestClass().getName().endsWith("IT")) {
            context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(PostgresPrograms.class, _ -> unpacked());
        }
    }

    private static Path unpacked() {
        var programs = Path.of("target", "postgresql").toAbsolutePath();
        try {
            var data = Files.createDirectories(programs)
                    .resolve("data-%d".formatted(ProcessHandle.current().pid()));
            EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setOverrideWorkingDirectory(programs.toFile())
                    .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .close();
            return programs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
