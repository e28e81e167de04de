package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class PostgresDriverFeaturesIT extends DriverFeatures {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }
}
