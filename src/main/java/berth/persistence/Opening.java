package berth.persistence;

import berth.broker.Peers;
import berth.cluster.Cluster;
import berth.desk.Desks;
import berth.security.Accounts;
import berth.security.AdminToken;

/**
 * Opens the desks of a process that has become the writer, and has it know what the writer before it has done.
 *
 * @param first the cluster of a database that has none
 */
record Opening(Accounts accounts, AdminToken adminToken, Peers peers, Desks desks, Cluster first) {

    /**
     * May be repeated where it has failed.
     *
     * @throws berth.desk.StorageUnavailable if the database cannot be asked
     */
    void open() {
        accounts.reread();
        adminToken.provide();
        peers.forget();
        desks.recover(first);
    }
}
