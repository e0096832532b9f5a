package berth.archive;

import berth.database.AcknowledgedPositions;
import berth.database.CommandDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.springframework.core.env.Environment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth import}: creates a database from an export. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Reads an export into an empty database: either the one that the service's own settings name (BERTH_DATA_DIR,"
                    + " SPRING_DATASOURCE_URL), or a new one in a new data directory. Then the service can be started there."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything was imported", "1:nothing was imported", "2:an option is wrong"})
public final class ImportCommand extends DatabaseCommand {

    @Parameters(paramLabel = "FILE", description = "The export.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    int run(Environment settings) throws IOException, SQLException {
        var manifest = Import.manifest(file);
        try (var target = CommandDatabase.forWriting(settings)) {
            Import.into(target.database(), file);
            // by importing, the operator gives up promises made since the export
            AcknowledgedPositions.forget(target.directory());
        }
        print("Imported %s, as of %s: %d rows in %d tables. You can start the service now."
                .formatted(
                        file,
                        manifest.at(),
                        manifest.tables().stream()
                                .mapToLong(table -> table.rows())
                                .sum(),
                        manifest.tables().size()));
        return 0;
    }
}
