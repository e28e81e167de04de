package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class PostgresMovingColumnsIT extends MovingColumns {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    String upsert() {
        return "INSERT INTO posts (id, owner_id, base) VALUES (1, 2, 50) ON CONFLICT (id) DO UPDATE SET base = 50";
    }
}
