package berth.archive;

import berth.database.CommandDatabase;
import berth.database.DataDirectory;
import berth.database.OfflineDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.core.env.Environment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth export}: exports everything recorded to a file. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes everything that a service has recorded to a file, as of one moment, and reads the file back to verify it. The"
                    + " service may run meanwhile. The service's own settings (BERTH_DATA_DIR, SPRING_DATASOURCE_URL) name its"
                    + " database."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the export is written and good", "1:there is no good export", "2:an option is wrong"})
public final class ExportCommand extends DatabaseCommand {

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "The file to write; it must not exist yet.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path out;

    @Option(names = "--no-verify", description = "Do not read the file back.")
    private boolean noVerify;

    @Override
    int run(Environment settings) throws IOException, SQLException {
        var file = out.toAbsolutePath();
        if (Files.exists(file)) {
            error("--out is %s, which exists already; name a new file.".formatted(out));
            return FAILED;
        }
        var draft = file.resolveSibling(file.getFileName() + ".part");
        try (var source = CommandDatabase.forReading(settings);
                var offline = new OfflineDatabase(source.database())) {
            DataDirectory.createPrivateFile(draft);
            var manifest = Export.write(
                    offline.database(), offline.schema(), Instant.now().truncatedTo(ChronoUnit.SECONDS), draft);
            if (!noVerify && !VerifyCommand.verified(this, draft, out)) {
                return FAILED;
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            if (noVerify) {
                print("%s is written, but was not verified.".formatted(out));
            } else {
                ExportedPositions.record(offline.database(), manifest);
            }
            return 0;
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
