package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.util.Map;

class PostgresBoundValuesIT extends BoundValues {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    Map<String, String> types() {
        return Map.of(
                "long", "BIGINT",
                "text", "TEXT",
                "decimal", "NUMERIC(38, 18)",
                "uuid", "UUID",
                "date", "DATE",
                "timestamp", "TIMESTAMP");
    }
}
