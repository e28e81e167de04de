package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class H2DistributedTransactionsTest extends DistributedTransactions {

    @Override
    DatabaseServer server() {
        return TestDatabases.h2();
    }

    @Override
    boolean keepsBranchesForNewHandles() {
        // Closing a handle rolls back.
        return false;
    }

    @Override
    boolean keepsPreparedBranches() {
        return false;
    }
}
