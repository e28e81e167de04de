package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class PostgresDistributedTransactionsIT extends DistributedTransactions {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    boolean canPrepare() {
        // The server is started with max_prepared_transactions = 0, as it comes.
        return false;
    }

    @Override
    boolean keepsBranchesForNewHandles() {
        return true;
    }
}
