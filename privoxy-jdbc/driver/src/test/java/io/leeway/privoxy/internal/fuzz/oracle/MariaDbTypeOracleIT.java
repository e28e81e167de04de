package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class MariaDbTypeOracleIT extends TypeOracle {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }
}
