package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class MariaDbDistributedTransactionsIT extends DistributedTransactions {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    boolean keepsBranchesForNewHandles() {
        return true;
    }
}
