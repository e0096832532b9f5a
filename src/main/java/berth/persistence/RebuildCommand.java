package berth.persistence;

import java.sql.SQLException;
import org.springframework.core.env.Environment;
import picocli.CommandLine.Command;

/** {@code berth rebuild}: rewrites the tables for reading from the journal. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the tables for reading anew from the journal, which is the truth: where something else has changed them, or"
                    + " they do not take what is recorded. The service must not run. Its own settings (BERTH_DATA_DIR,"
                    + " SPRING_DATASOURCE_URL) say where its database is."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the tables are as the journal says",
            "1:those of the clusters that were not told of are as they were",
            "2:an option is wrong"
        })
public final class RebuildCommand extends DatabaseCommand {

    @Override
    int run(Environment settings) throws SQLException {
        try (var place = CommandDatabase.forWriting(settings);
                var offline = new OfflineDatabase(place.database())) {
            try (var connection = Schema.connect(place.database())) {
                new Generation(_ -> {}).take(connection);
            }
            var rebuild = new Rebuild(offline.database());
            var journaled = rebuild.journaled();
            for (var cluster : journaled) {
                rebuild.rebuild(cluster);
                print("Cluster %s: written anew, events %d to %d."
                        .formatted(cluster.cluster(), cluster.from(), cluster.to()));
            }
            if (journaled.isEmpty()) {
                print("The journal is empty: there is nothing to be written anew.");
            }
            return 0;
        }
    }
}
