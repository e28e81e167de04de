package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MariaDbBoundValuesIT extends BoundValues {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    Map<String, String> types() {
        return Map.of(
                "long", "BIGINT",
                "text", "VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
                "decimal", "DECIMAL(38, 18)",
                "uuid", "UUID",
                "date", "DATE",
                "timestamp", "DATETIME");
    }

    @Test
    void aDriverThatMovesTimesToAnotherZoneIsRefused() throws SQLException {
        assertThatThrownBy(() -> database().connect("preserveInstants", "true", "connectionTimeZone", "+09:00"))
                .hasMessageContaining("preserveInstants");
    }
}
