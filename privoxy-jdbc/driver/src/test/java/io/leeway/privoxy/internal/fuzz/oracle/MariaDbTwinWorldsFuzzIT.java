package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.Depth;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import org.junit.jupiter.api.Tag;

/** In the deep tier: which of equal rows this server sorts first changes from run to run. */
@Tag(Depth.DEEP)
class MariaDbTwinWorldsFuzzIT extends TwinWorldsFuzz {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }
}
