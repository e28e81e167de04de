package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class PostgresDistributedTransactionsIT extends DistributedTransactions {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    boolean keepsBranchesForNewHandles() {
        return true;
    }
}
