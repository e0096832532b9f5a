package berth.archive;

import berth.database.CommandDatabase;
import berth.database.Generation;
import berth.database.OfflineDatabase;
import berth.database.Schema;
import java.sql.SQLException;
import org.springframework.core.env.Environment;
import picocli.CommandLine.Command;

/** {@code berth rebuild}: rewrites the tables for reading from the journal. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description = {
            "Rebuilds the tables for reading from the journal, which is authoritative. Use it if another program has changed the"
                    + " tables, or if Berth cannot bring them up to date. The service must not run. Its own settings (BERTH_DATA_DIR,"
                    + " SPRING_DATASOURCE_URL) name its database."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the tables agree with the journal",
            "1:the tables of clusters without a line in the output are unchanged",
            "2:an option is wrong"
        })
public final class RebuildCommand extends DatabaseCommand {

    @Override
    int run(Environment settings) throws SQLException {
        try (var target = CommandDatabase.forWriting(settings);
                var offline = new OfflineDatabase(target.database())) {
            try (var connection = Schema.connect(target.database())) {
                new Generation(_ -> {}).take(connection);
            }
            var rebuild = new Rebuild(offline.database());
            var journaled = rebuild.journaled();
            for (var cluster : journaled) {
                rebuild.rebuild(cluster);
                print("Cluster %s: rebuilt, events %d to %d."
                        .formatted(cluster.cluster(), cluster.from(), cluster.to()));
            }
            if (journaled.isEmpty()) {
                print("The journal is empty, so there is nothing to rebuild.");
            }
            return 0;
        }
    }
}
