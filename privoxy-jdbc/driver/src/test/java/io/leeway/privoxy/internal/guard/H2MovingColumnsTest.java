package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class H2MovingColumnsTest extends MovingColumns {

    @Override
    DatabaseServer server() {
        return TestDatabases.h2();
    }

    @Override
    String stored() {
        return "";
    }

    @Override
    String upsert() {
        return "MERGE INTO posts (id, owner_id, base, level) KEY (id) VALUES (1, 2, 50, 7)";
    }
}
