package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;

class H2TwinWorldsFuzzTest extends TwinWorldsFuzz {

    @Override
    DatabaseServer server() {
        return TestDatabases.h2();
    }

    @Override
    Dialect dialect() {
        return Dialect.H2;
    }
}
