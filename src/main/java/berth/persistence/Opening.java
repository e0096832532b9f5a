package berth.persistence;

import berth.broker.Peers;
import berth.cluster.Cluster;
import berth.desk.Budgets;
import berth.desk.Desks;
import berth.desk.Ledger;
import berth.security.Accounts;
import berth.security.AdminToken;
import berth.security.Projects;
import berth.webhook.Webhooks;
import java.time.Duration;

/**
 * Opens the desks of a process that has become the writer, and has it know what the writer before it has done.
 *
 * @param first the cluster of a database that has none
 */
record Opening(
        Accounts accounts,
        Projects projects,
        AdminToken adminToken,
        Peers peers,
        Webhooks webhooks,
        Budgets budgets,
        Desks desks,
        Ledger ledger,
        Database database,
        Cluster first) {

    /** So long a rehearsal goes on with further clusters. */
    private static final Duration REHEARSAL = Duration.ofSeconds(10);

    /**
     * Reads what is live and puts the schedules together, as opening does, and forgets them again: Java has the code compiled then. Ends soon after the
     * thread is interrupted.
     *
     * @throws berth.desk.StorageUnavailable if the database cannot be asked
     */
    void rehearse() {
        long began = System.nanoTime();
        for (var cluster : ledger.clusters()) {
            if (System.nanoTime() - began > REHEARSAL.toNanos() || Thread.interrupted()) {
                return;
            }
            database.inTransaction(session -> {
                session.createNativeMutationQuery("set transaction isolation level repeatable read, read only")
                        .executeUpdate();
                return JournaledSchedule.inTables(session, cluster.id());
            });
        }
    }

    /**
     * May be repeated where it has failed.
     *
     * @throws berth.desk.StorageUnavailable if the database cannot be asked
     */
    void open() {
        accounts.reread();
        projects.reread();
        projects.watch(budgets::heed);
        adminToken.provide();
        peers.forget();
        // what was to be announced while nobody decided still is
        webhooks.reread();
        desks.recover(first);
    }
}
