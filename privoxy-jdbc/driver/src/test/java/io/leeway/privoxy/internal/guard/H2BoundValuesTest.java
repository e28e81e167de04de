package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.util.Map;

class H2BoundValuesTest extends BoundValues {

    @Override
    DatabaseServer server() {
        return TestDatabases.h2();
    }

    @Override
    Map<String, String> types() {
        return Map.of(
                "long", "BIGINT",
                "text", "VARCHAR(50)",
                "decimal", "NUMERIC(38, 18)",
                "uuid", "UUID",
                "date", "DATE",
                "timestamp", "TIMESTAMP");
    }
}
