package berth.persistence;

/** How far the journal of each cluster is in an export that was found good: so far it need not be kept for ever. */
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
