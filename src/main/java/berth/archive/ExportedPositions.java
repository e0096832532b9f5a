package berth.archive;

import berth.database.Database;
import berth.store.Retention;

/** The position of each cluster's journal in a verified export. {@link Retention} may remove old rows up to it. */
final class ExportedPositions {

    private ExportedPositions() {}

    static void record(Database database, Manifest manifest) {
        database.write(session -> {
            for (var cluster : manifest.clusters()) {
                session.createNativeMutationQuery(
                                "insert into exported (cluster, sequence) values (:cluster, :sequence)"
                                        + " on conflict (cluster) do update"
                                        + " set sequence = greatest(exported.sequence, excluded.sequence)")
                        .setParameter("cluster", cluster.name())
                        .setParameter("sequence", cluster.sequence())
                        .executeUpdate();
            }
            return manifest;
        });
    }
}
