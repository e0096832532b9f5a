package berth.persistence;

import berth.persistence.Verification.Verdict;
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
            "Tells whether an export is good: reads it into a database that is thrown away, puts every schedule together, and"
                    + " compares it with its journal and with the one that was exported."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the export is good", "1:it is not, or could not be read", "2:an option is wrong"})
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
