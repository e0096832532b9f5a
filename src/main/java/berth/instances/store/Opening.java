package berth.instances.store;

import berth.accounts.Accounts;
import berth.accounts.AdminToken;
import berth.accounts.UnlimitedAccounts;
import berth.cluster.Cluster;
import berth.database.Database;
import berth.engine.Budgets;
import berth.engine.Desks;
import berth.engine.Ledger;
import berth.peers.Peers;
import berth.projects.Projects;
import berth.store.JournaledSchedule;
import berth.webhooks.Webhooks;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the desks of a process that has become the writer, after updating what it knows of the previous writer's changes.
 *
 * @param first the cluster to create in a database without clusters
 */
public record Opening(
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
     * @throws berth.runtime.StorageUnavailable if the database does not answer
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
     * @throws berth.runtime.StorageUnavailable if the database does not answer
     */
    public void open() {
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
