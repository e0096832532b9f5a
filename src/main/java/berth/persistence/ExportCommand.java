package berth.persistence;

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
            "Writes all that a service has recorded to a file, as of one moment, and reads it back to see that it is good. The"
                    + " service may run or not; its own settings (BERTH_DATA_DIR, SPRING_DATASOURCE_URL) say where it keeps"
                    + " what it has recorded."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the export is there, and good", "1:it is not", "2:an option is wrong"})
public final class ExportCommand extends DatabaseCommand {

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "The file to be written; it must not exist.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path out;

    @Option(names = "--no-verify", description = "Do not read it back.")
    private boolean noVerify;

    @Override
    int run(Environment settings) throws IOException, SQLException {
        var file = out.toAbsolutePath();
        if (Files.exists(file)) {
            error("--out is %s, which exists: name a new file.".formatted(out));
            return FAILED;
        }
        var draft = file.resolveSibling(file.getFileName() + ".part");
        try (var place = CommandDatabase.forReading(settings);
                var offline = new OfflineDatabase(place.database())) {
            DataDirectory.createPrivateFile(draft);
            var manifest = Export.write(
                    offline.database(), offline.schema(), Instant.now().truncatedTo(ChronoUnit.SECONDS), draft);
            if (!noVerify && !VerifyCommand.verified(this, draft, out)) {
                return FAILED;
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            if (noVerify) {
                print("%s is written, and was not read back.".formatted(out));
            } else {
                ExportedPositions.record(offline.database(), manifest);
            }
            return 0;
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
