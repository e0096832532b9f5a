package berth.persistence;

import berth.broker.Peers;
import berth.cluster.Cluster;
import berth.desk.Budgets;
import berth.desk.Desks;
import berth.desk.Ledger;
import berth.security.Accounts;
import berth.security.AdminToken;
import berth.security.Projects;
import berth.security.UnlimitedAccounts;
import berth.webhook.Webhooks;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the desks of a process that has become the writer, after updating what it knows of the previous writer's changes.
 *
 * @param first the cluster to create in a database without clusters
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

    /** The time after which a rehearsal continues with no further clusters. */
    private static final Duration REHEARSAL = Duration.ofSeconds(10);

    /**
     * Reads what is live and assembles the schedules as {@link #open} does, then discards them, so that Java has compiled the code. It ends
     * soon after an interrupt.
     *
     * @throws berth.desk.StorageUnavailable if the database does not answer
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
     * Opens the desks. May be repeated after a failure.
     *
     * @throws berth.desk.StorageUnavailable if the database does not answer
     */
    void open() {
        accounts.reread();
        projects.reread();
        budgets.heed(projects);
        projects.watch(budgets::heed);
        adminToken.provide();
        UnlimitedAccounts.tell(
                accounts.list(Optional.empty(), Integer.MAX_VALUE).orElseThrow());
        peers.forget();
        // announcements that became due while no instance was active are still made
        webhooks.reread();
        desks.recover(first);
    }
}
