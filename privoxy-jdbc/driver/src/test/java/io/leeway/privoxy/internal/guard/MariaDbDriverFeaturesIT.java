package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class MariaDbDriverFeaturesIT extends DriverFeatures {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }
}
