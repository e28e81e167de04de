package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class PostgresTypeOracleIT extends TypeOracle {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
