package berth.archive;

import berth.archive.Verification.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.springframework.core.env.Environment;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth verify}: verifies an export. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Verifies an export: reads it into a temporary database, rebuilds every schedule, and"
                    + " compares each with its journal and with the exported schedule."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the export is good", "1:the export is not good, or could not be read", "2:an option is wrong"
        })
public final class VerifyCommand extends DatabaseCommand {

    @Parameters(paramLabel = "FILE", description = "The export.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    int run(Environment settings) throws IOException, SQLException {
        return verified(this, file, file) ? 0 : FAILED;
    }

    /**
     * Verifies a file and prints the result in one line; returns whether the export is good.
     *
     * @param name the name of the file in that line
     */
    static boolean verified(DatabaseCommand command, Path file, Path name) throws IOException, SQLException {
        var directory = Files.createTempDirectory("berth-verification-");
        try (var verification = new Verification(file, directory.resolve("data"))) {
            // an interrupt leaves nothing behind either
            Runtime.getRuntime().addShutdownHook(new Thread(verification::close));
            return switch (verification.verdict()) {
                case Verdict.Good(var manifest, int clusters, long events, long live) -> {
                    command.print("%s is good as of %s: clusters %d, events in the journal %d, live reservations %d."
                            .formatted(name, manifest.at(), clusters, events, live));
                    yield true;
                }
                case Verdict.Bad(var reason) -> {
                    command.error("%s is not good: %s".formatted(name, reason));
                    yield false;
                }
            };
        } finally {
            FileSystemUtils.deleteRecursively(directory);
        }
    }
}
